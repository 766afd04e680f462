// Runs the conformance suites against a real Kubernetes API server. In: KUBE_BIN, a directory with etcd and
// kube-apiserver. Out: the suites' own report and exit code; the server is gone afterwards, whatever happened.
import { spawn } from 'node:child_process';
import { startRealApiServer } from '../test/support/real-api-server.ts';

const bin = process.env['KUBE_BIN'];
if (bin === undefined || bin === '') {
  console.error(
    'KUBE_BIN is not set: it must name a directory with the programs etcd and kube-apiserver, for example KUBE_BIN=/opt/kubernetes/bin',
  );
  process.exit(2);
}

const server = await startRealApiServer(bin);
console.log(`kube-apiserver at ${server.url}`);
try {
  process.exitCode = await new Promise<number>((resolve) => {
    const env = { ...process.env, KUBE_CONFORMANCE_KUBECONFIG: server.kubeconfig };
    const tests = spawn(
      process.execPath,
      [
        'node_modules/vitest/vitest.mjs',
        'run',
        // A real server does some things a moment after it answered.
        '--retry=2',
        'test/conformance',
        ...process.argv.slice(2),
      ],
      { env, stdio: 'inherit' },
    );
    tests.on('error', (error) => {
      console.error(error.message);
      resolve(1);
    });
    tests.on('exit', (code) => resolve(code ?? 1));
  });
} finally {
  await server.stop();
}
