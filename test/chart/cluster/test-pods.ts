import { readProjectFile } from '../../contract/source-files.ts';
import { image, type Pod } from './cluster-client.ts';

/** Sources of the load, which the client runs. Node strips their types. */
const loadFiles = [
  'chart/cluster/run-load.ts',
  'compose/longest-gap.ts',
  'support/api-client.ts',
  'support/credentials.ts',
  'support/write-load.ts',
  'support/builders/record-builders.ts',
];

const keyOf = (path: string): string => path.replaceAll('/', '_');

const restricted = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } };

/** On the node with Kafka's volume: a pod without a controller would prevent the drain of its node. */
const withKafka = {
  podAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: [
      {
        topologyKey: 'kubernetes.io/hostname',
        labelSelector: { matchLabels: { app: 'kafka' } },
      },
    ],
  },
};

/** A pod that does not belong to the release: it can run the load, and listens on port 8000. */
export function describeClient(): readonly object[] {
  const data = loadFiles.map((path) => [keyOf(path), readProjectFile(`test/${path}`)]);
  const items = loadFiles.map((path) => ({ key: keyOf(path), path }));
  return [
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'load' },
      data: Object.fromEntries(data),
    },
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'client' },
      spec: {
        affinity: withKafka,
        automountServiceAccountToken: false,
        terminationGracePeriodSeconds: 1,
        securityContext: {
          runAsNonRoot: true,
          runAsUser: 1000,
          seccompProfile: { type: 'RuntimeDefault' },
        },
        containers: [
          {
            name: 'client',
            image,
            command: ['node', '-e', "require('node:net').createServer().listen(8000)"],
            securityContext: restricted,
            volumeMounts: [{ name: 'load', mountPath: '/app/test' }],
          },
        ],
        volumes: [{ name: 'load', configMap: { name: 'load', items } }],
      },
    },
  ];
}

/** Sends SIGKILL to the processes whose environment contains a text. */
const killProgram = `
const { readdirSync, readFileSync } = require('node:fs');
const killed = readdirSync('/proc').filter((name) => /^\\d+$/.test(name)).filter((id) => {
  try {
    if (!readFileSync(\`/proc/\${id}/environ\`, 'utf8').split('\\0').includes(process.argv[1])) return false;
    process.kill(Number(id), 'SIGKILL');
    return true;
  } catch {
    return false;
  }
});
process.exit(killed.length > 0 ? 0 : 1);
`;

/** A pod that kills the processes of another one from outside: within its namespace, a container's first process ignores SIGKILL. */
export function describeKiller({ name, node }: Pod): object {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'killer' },
    spec: {
      nodeName: node,
      hostPID: true,
      restartPolicy: 'Never',
      containers: [
        {
          name: 'killer',
          image,
          command: ['node', '-e', killProgram, `HOSTNAME=${name}`],
          securityContext: { privileged: true, runAsUser: 0 },
        },
      ],
    },
  };
}

/** Prints, as JSON, whether each `host:port` accepts a connection within 3 s. */
export const connectProgram = `
const { connect } = require('node:net');
const attempt = (address) => new Promise((resolve) => {
  const [host, port] = address.split(':');
  const socket = connect({ host, port, timeout: 3000 });
  const end = (isOpen) => { socket.destroy(); resolve([address, isOpen]); };
  socket.on('connect', () => end(true)).on('timeout', () => end(false)).on('error', () => end(false));
});
Promise.all(process.argv.slice(1).map(attempt)).then((all) => console.log(JSON.stringify(Object.fromEntries(all))));
`;

/** Prints the milliseconds until the address responds with 200 to a request with the key. */
export const awaitProgram = `
const [url, key] = process.argv.slice(1);
const start = Date.now();
const attempt = () => fetch(url, { headers: { 'X-Api-Key': key }, signal: AbortSignal.timeout(5000) }).then(
  ({ status }) => status === 200,
  () => false,
);
const repeat = async () => {
  while (!(await attempt())) await new Promise((resolve) => setTimeout(resolve, 200));
  console.log(Date.now() - start);
};
repeat();
`;
