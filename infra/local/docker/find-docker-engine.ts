import { get, type RequestOptions } from 'node:http';
import { findDockerHosts } from '../../prerequisites.mjs';

const PING_TIMEOUT_MS = 1_500;

/**
 * Returns true if a Docker engine responds. Returns immediately if none is installed, and within 1.5 s if one hangs.
 */
export async function isDockerResponding(env: NodeJS.ProcessEnv): Promise<boolean> {
  const answers = await Promise.all(findDockerHosts(env).map(async (host) => ping(host)));
  return answers.includes(true);
}

async function ping(host: string): Promise<boolean> {
  const target = toRequestTarget(host);
  // Only testcontainers can connect to such an address (TLS, ssh), so it is assumed to work.
  if (target === undefined) return true;
  return new Promise((resolve) => {
    const request = get({ ...target, path: '/_ping', timeout: PING_TIMEOUT_MS }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(false));
    request.on('close', () => resolve(false));
  });
}

function toRequestTarget(host: string): RequestOptions | undefined {
  if (host.startsWith('unix://')) return { socketPath: host.slice('unix://'.length) };
  const url = URL.canParse(host) ? new URL(host) : undefined;
  if (url?.protocol !== 'tcp:' || url.port === '2376') return undefined;
  return { host: url.hostname, port: url.port };
}
