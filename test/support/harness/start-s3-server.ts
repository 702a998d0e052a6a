import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { choosePorts } from '../../../infra/local/processes/free-port.ts';
import { collectOutput, spawnChild } from '../../../infra/local/processes/spawn-child.ts';
import { compatCache } from '../../compat/compat-cache.ts';
import { lastLine, runProgram } from '../../compat/run-program.ts';
import { eventually } from '../eventually.ts';

const VERSION = 'v1.8.0';
const source = `github.com/versity/versitygw/cmd/versitygw@${VERSION}`;
const credentials = { accessKeyId: 'annals', secretAccessKey: 'annals-secret' };

export interface S3Server {
  readonly endpoint: string;
  /** The variables with which Annals stores files in this bucket. */
  environment(bucket: string): NodeJS.ProcessEnv;
  createBucket(bucket: string): Promise<void>;
  stop(): Promise<unknown>;
  /** Starts it again at the same address, with the same files. */
  startAgain(): Promise<void>;
}

type Provided = { readonly path: string } | { readonly obstacle: string };

/** Compiles the server once per user. Returns the reason why it is not available here otherwise. */
export async function provideS3Server(): Promise<Provided> {
  const directory = compatCache(`versitygw-${VERSION}`);
  const path = join(directory, 'versitygw');
  if (existsSync(path)) return { path };
  if (spawnSync('go', ['version']).status !== 0) return { obstacle: 'Go is not installed' };
  const env = { GOBIN: directory, CGO_ENABLED: '0' };
  const { code, output } = await runProgram('go', ['install', source], { env });
  return code === 0 ? { path } : { obstacle: `go cannot install ${source}: ${lastLine(output)}` };
}

/** Starts an S3-compatible server that keeps its objects in a directory. */
export async function startS3Server(program: string, directory: string): Promise<S3Server> {
  const { port } = await choosePorts(['port'], {});
  const endpoint = `http://127.0.0.1:${port}`;
  const client = new S3Client({
    ...{ endpoint, credentials, region: 'us-east-1', forcePathStyle: true },
    requestChecksumCalculation: 'WHEN_REQUIRED',
  });
  const start = async () => {
    const child = await spawnChild({
      name: 'versitygw',
      command: program,
      args: ['--port', `127.0.0.1:${port}`, '--quiet', 'posix', directory],
      env: {
        PATH: process.env['PATH'],
        ROOT_ACCESS_KEY: credentials.accessKeyId,
        ROOT_SECRET_KEY: credentials.secretAccessKey,
      },
      stopSignal: 'SIGTERM',
      stopTimeoutMs: 5_000,
    });
    collectOutput(child);
    await eventually(async () => void (await fetch(endpoint)));
    return child;
  };
  let child = await start();
  return {
    endpoint,
    environment: (bucket) => ({
      FILES_STORE: `s3://${bucket}/annals`,
      FILES_ENDPOINT: endpoint,
      FILES_ACCESS_KEY_ID: credentials.accessKeyId,
      FILES_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    }),
    async createBucket(bucket) {
      await client.send(new CreateBucketCommand({ Bucket: bucket }));
    },
    stop: async () => child.stop(),
    async startAgain() {
      child = await start();
    },
  };
}
