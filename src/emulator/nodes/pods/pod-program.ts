// What the programs in a pod do, since none is really run. In: the pod. Out: for each container how long it runs, how it ends,
// when it is ready and how long it takes to stop.
// Annotations of the pod say it: `emulator.karpenter.sh/runs-for: 30s`, `…/exit-code: "1"`, `…/ready-after: 5s`,
// `…/stops-in: 20s`. So do commands: `sleep 30`, `sleep infinity`, `true`, `false`, and `sh -c "sleep 5; exit 1"`.
// Without a word a program runs until it is stopped, unless its pod is meant to end: then for the time that tasks take.
import { numberAt, objectAt, stringAt, listAt, type JsonObject } from '../../kube/json.ts';

export interface Program {
  /** Undefined: until it is stopped. */
  readonly runsForMs: number | undefined;
  readonly exitCode: number;
  readonly readyAfterMs: number;
  /** Undefined: as long as programs usually take. */
  readonly stopsInMs: number | undefined;
}

const prefix = 'emulator.karpenter.sh';
const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

export function programOf(pod: JsonObject, container: JsonObject, taskMs: number): Program {
  const said = (name: string): string | undefined =>
    stringAt(pod, 'metadata', 'annotations', `${prefix}/${name}`);
  const isSidecar = stringAt(container, 'restartPolicy') === 'Always';
  const isTask = stringAt(pod, 'spec', 'restartPolicy') !== 'Always' && !isSidecar;
  const script = readCommand(container);
  const annotated = isSidecar ? undefined : durationMs(said('runs-for'));
  const fallback = isTask ? taskMs : undefined;
  return {
    runsForMs: annotated ?? (script === undefined ? fallback : script.runsForMs),
    exitCode: exitCodeIn(said('exit-code')) ?? script?.exitCode ?? 0,
    readyAfterMs: durationMs(said('ready-after')) ?? probeDelayMs(container),
    stopsInMs: durationMs(said('stops-in')),
  };
}

/** Containers of `initContainers` run once and to their end, unless they are sidecars. */
export function initProgramOf(container: JsonObject): Program {
  const script = readCommand(container);
  return {
    runsForMs: script?.runsForMs ?? 0,
    exitCode: script?.exitCode ?? 0,
    readyAfterMs: 0,
    stopsInMs: undefined,
  };
}

/** `1h30m`, `45s`, `500ms`; undefined when it is none. */
function durationMs(text: string | undefined): number | undefined {
  if (text === undefined || !/^(\d+(\.\d+)?(ms|s|m|h))+$/.test(text)) return undefined;
  let total = 0;
  for (const [, amount, unit = 's'] of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)) {
    total += Number(amount) * (unitMs[unit] ?? 0);
  }
  return total;
}

function exitCodeIn(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,3}$/.test(text) ? Number(text) : undefined;
}

type Script = { readonly runsForMs: number | undefined; readonly exitCode: number };

/** Undefined when it is a program that we know nothing of. */
function readCommand(container: JsonObject): Script | undefined {
  const words = [...listAt(container, 'command'), ...listAt(container, 'args')].map(String);
  const [shell = '', flag, text = ''] = words;
  const isShell = /^(?:\/bin\/)?(?:ba)?sh$/.test(shell) && flag === '-c';
  const steps = (isShell ? text : words.join(' ')).split(/;|&&|\n/).map((step) => step.trim());
  let runsForMs: number | undefined = 0;
  let exitCode: number | undefined;
  for (const step of steps.filter((one) => one !== '')) {
    const effect = readStep(step);
    if (effect === undefined) return undefined;
    if (effect.runsForMs === undefined) return { runsForMs: undefined, exitCode: 0 };
    runsForMs += effect.runsForMs;
    exitCode = effect.exitCode;
  }
  return exitCode === undefined ? undefined : { runsForMs, exitCode };
}

const knownSteps: Readonly<Record<string, Script>> = {
  true: { runsForMs: 0, exitCode: 0 },
  false: { runsForMs: 0, exitCode: 1 },
  'sleep infinity': { runsForMs: undefined, exitCode: 0 },
  'sleep inf': { runsForMs: undefined, exitCode: 0 },
};

function readStep(step: string): Script | undefined {
  const known = knownSteps[step.startsWith('echo ') ? 'true' : step];
  if (known !== undefined) return known;
  const [, verb, amount = ''] = /^(exit|sleep) (\S+)$/.exec(step) ?? [];
  if (verb === 'exit') {
    const exitCode = exitCodeIn(amount);
    return exitCode === undefined ? undefined : { runsForMs: 0, exitCode };
  }
  const runsForMs = durationMs(/\d$/.test(amount) ? `${amount}s` : amount);
  return runsForMs === undefined ? undefined : { runsForMs, exitCode: 0 };
}

/** A probe that succeeds finds out at its first turn after the program has started. */
function probeDelayMs(container: JsonObject): number {
  const seconds = ['startupProbe', 'readinessProbe'].map((name) => {
    const probe = objectAt(container, name);
    if (probe === undefined) return 0;
    const turns = numberAt(probe, 'successThreshold') ?? 1;
    const period = numberAt(probe, 'periodSeconds') ?? 10;
    return (numberAt(probe, 'initialDelaySeconds') ?? 0) + (turns - 1) * period;
  });
  return Math.max(...seconds) * 1000;
}
