// Custom data back in its parts, for tests. In: base64, compressed or not. Out: the variables that the script sets, as
// bash would read them.
import { gunzipSync } from 'node:zlib';

const assignment = /^(?<name>[A-Z][A-Z0-9_]*)="(?<quoted>.*)"$/;

export function decodeCustomData(customData: string): Record<string, string> {
  const bytes = Buffer.from(customData, 'base64');
  const isCompressed = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const script = (isCompressed ? gunzipSync(bytes) : bytes).toString();
  const variables: Record<string, string> = {};
  for (const line of script.split('\n')) {
    const { name, quoted } = assignment.exec(line)?.groups ?? {};
    if (name === undefined || quoted === undefined) continue;
    if (name in variables) throw new Error(`${name} is set twice`);
    variables[name] = quoted.replaceAll(/\\(["$\\`])/g, '$1');
  }
  return variables;
}
