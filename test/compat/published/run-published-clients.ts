import type { AccessFile } from '../../../infra/local/supervisor/access-file.ts';
import { runProgram } from '../run-program.ts';
import {
  type Prepared,
  prepareNodeClient,
  preparePythonClient,
  prepareRustClient,
} from './prepare-clients.ts';

interface PublishedClient {
  readonly name: string;
  prepare(): Promise<Prepared>;
}

/** Clients as published, without any modification. */
const clients: readonly PublishedClient[] = [
  {
    name: 'espocrm-mcp-server 0.2.0 (npm)',
    prepare: async () => prepareNodeClient('espocrm-mcp-server', '0.2.0'),
  },
  {
    name: 'espocrm-mcp-server-extended 1.0.0 (npm)',
    prepare: async () => prepareNodeClient('espocrm-mcp-server-extended', '1.0.0'),
  },
  { name: 'espo 0.1.0 (PyPI)', prepare: async () => preparePythonClient('use_espo.py') },
  {
    name: 'espocrm-client 0.2.1 (PyPI)',
    prepare: async () => preparePythonClient('use_espocrm_client.py'),
  },
  { name: 'espocrm-rs 0.4.1 (crates.io)', prepare: prepareRustClient },
];

const clientTimeoutMs = 300_000;

/** Runs one after the other; returns a line for each, and whether none failed and at least one was run. */
export async function runPublishedClients(
  access: AccessFile,
  say: (text: string) => void,
): Promise<{ readonly lines: readonly string[]; readonly isGood: boolean }> {
  const lines: string[] = [];
  const counts = { ran: 0, failed: 0 };
  for (const { name, prepare } of clients) {
    say(`${name}\n`);
    const prepared = await prepare();
    if ('obstacle' in prepared) {
      lines.push(`skipped  ${name}: ${prepared.obstacle}`);
      continue;
    }
    const { code } = await runProgram(prepared.command, prepared.args, {
      env: environmentOf(access),
      timeoutMs: clientTimeoutMs,
      onOutput: say,
    });
    counts.ran += 1;
    if (code !== 0) counts.failed += 1;
    lines.push(`${code === 0 ? 'ran    ' : 'FAILED '}  ${name}`);
  }
  return { lines, isGood: counts.failed === 0 && counts.ran > 0 };
}

function environmentOf({ url, apiKey, hmac }: AccessFile): NodeJS.ProcessEnv {
  return {
    ANNALS_URL: url,
    ANNALS_API_KEY: apiKey.apiKey,
    ANNALS_HMAC_KEY: hmac.apiKey,
    ANNALS_HMAC_SECRET: hmac.secretKey,
  };
}
