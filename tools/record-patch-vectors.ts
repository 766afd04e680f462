// Tells random stories of patches, applies and updates to a real API server and compares each answer with ours. In:
// KUBE_BIN, a directory with etcd and kube-apiserver. Out: test/vectors/apply and test/vectors/patch, which the tests
// replay without a server; or with `--check=N` only a report on the stories of N seeds. Exit code 1 on any difference.
import { mkdir, writeFile } from 'node:fs/promises';
import { sleep, systemClock } from '../src/base/clock.ts';
import { seededRandom } from '../src/base/random.ts';
import type { JsonObject } from '../src/emulator/kube/json.ts';
import { type Answer, Replay } from '../test/support/patch-replay.ts';
import {
  nextRequest,
  nodePoolManifest,
  type PatchRequest,
  type Plot,
  plots,
  stories,
  type Story,
} from '../test/support/patch-scenarios.ts';
import { encodeStep, type RecordedStep, RecordingTimes } from '../test/support/patch-vectors.ts';
import { RealApiClient } from '../test/support/real-api-client.ts';
import { startRealApiServer } from '../test/support/real-api-server.ts';

const contentTypes = {
  apply: 'application/apply-patch+yaml',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  json: 'application/json-patch+json',
  create: 'application/json',
  update: 'application/json',
};

const methods = { create: 'POST', update: 'PUT' } as const;
const stepsPerStory = 8;

const bin = process.env['KUBE_BIN'];
if (bin === undefined || bin === '') {
  console.error('KUBE_BIN is not set: it must name a directory with etcd and kube-apiserver');
  process.exit(2);
}
const check = process.argv.find((argument) => argument.startsWith('--check='));
const isRecording = check === undefined;
const seeds = isRecording ? 2 : Number(check.slice('--check='.length));

const server = await startRealApiServer(bin);
const client = new RealApiClient(server);
const replay = new Replay();
let differing = 0;
let compared = 0;
try {
  await prepare();
  for (const plot of Object.keys(plots) as Plot[]) {
    for (const story of stories) await tellAll(plot, story);
  }
} finally {
  client.close();
  await server.stop();
}
console.log(`${compared} answers compared, ${differing} differ`);
process.exitCode = differing === 0 ? 0 : 1;

async function prepare(): Promise<void> {
  const accounts = '/api/v1/namespaces/default/serviceaccounts';
  await client.json('POST', accounts, { metadata: { name: 'default' } });
  const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  await client.json('POST', definitions, nodePoolManifest);
  for (let tries = 0; tries < 100; tries++) {
    const answer = await client.send({ method: 'GET', path: '/apis/karpenter.sh/v1/nodepools' });
    if (answer.code === 200) return;
    await sleep(systemClock, 100);
  }
  throw new Error('the custom resource was never served');
}

async function tellAll(plot: Plot, story: Story): Promise<void> {
  const told: RecordedStep[][] = [];
  for (let seed = 1; seed <= seeds; seed++) told.push(await tell(plot, story, seed));
  if (!isRecording) return;
  const directory = `test/vectors/${plot}`;
  await mkdir(directory, { recursive: true });
  const { gitVersion } = await client.json<{ gitVersion: string }>('GET', '/version');
  const { group, version, kind, resource, custom } = story;
  const file = {
    source: `kube-apiserver ${gitVersion}, asked by tools/record-patch-vectors.ts`,
    kind: { group, version, kind, resource, custom },
    stories: told,
  };
  await writeFile(`${directory}/${resource}.json`, `${JSON.stringify(file, null, 2)}\n`);
}

async function tell(plot: Plot, story: Story, seed: number): Promise<RecordedStep[]> {
  const random = seededRandom(seed);
  const name = `${plot}-${seed}`;
  const times = new RecordingTimes();
  const steps: RecordedStep[] = [];
  let live: JsonObject | undefined;
  for (let step = 0; step < stepsPerStory; step++) {
    // Managers' times have whole seconds: only one step per second tells them apart.
    if (isRecording) await sleep(systemClock, 1100);
    const request = nextRequest(random, story, { plot, live, name });
    const answer = await send(story, name, request);
    // Objects that are invalid for other reasons than their patch are not the subject here.
    if (answer.code === 422 || answer.code === 403) continue;
    const time = times.take(answer.body);
    report(`${story.kind} ${plot} seed ${seed} step ${step}`, request, live, {
      story,
      answer,
      time,
    });
    if (isRecording) steps.push(encodeStep({ request, answer, before: live, times }));
    if (answer.code < 400) live = answer.body;
  }
  return steps;
}

function report(
  title: string,
  request: PatchRequest,
  before: JsonObject | undefined,
  { story, answer, time }: { story: Story; answer: Answer; time: string },
): void {
  compared++;
  const differences = replay.differences({ kind: story, before, request, answer, time });
  if (differences.length === 0) return;
  differing++;
  const force = request.force ? ' by force' : '';
  console.log(`\n${title}: ${request.type} ${request.subresource} by ${request.manager}${force}`);
  console.log(`  body   ${JSON.stringify(request.body)}`);
  console.log(`  before ${JSON.stringify(before)}`);
  for (const difference of differences) console.log(`  ${difference}`);
}

async function send(story: Story, name: string, request: PatchRequest): Promise<Answer> {
  const { group, version, resource, namespaced } = story;
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const collection = `${root}${namespaced ? '/namespaces/default' : ''}/${resource}`;
  const { type, subresource } = request;
  const isPatch = type !== 'create' && type !== 'update';
  const object = `${collection}/${name}${subresource === '' ? '' : `/${subresource}`}`;
  const force = type === 'apply' ? `&force=${request.force}` : '';
  const answer = await client.send({
    method: isPatch ? 'PATCH' : methods[type],
    path: `${type === 'create' ? collection : object}?fieldManager=${request.manager}${force}`,
    body: JSON.stringify(request.body),
    headers: { 'content-type': contentTypes[type] },
  });
  return { code: answer.code, body: JSON.parse(answer.text) as JsonObject };
}
