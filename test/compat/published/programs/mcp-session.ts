import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** A running server of the Model Context Protocol. */
export interface McpSession {
  /** Returns the text of a tool's result; rejects if the result is an error. */
  use(tool: string, args: object): Promise<string>;
  end(): void;
}

interface Answer {
  readonly id?: number;
  readonly error?: { readonly message: string };
  readonly result?: {
    readonly isError?: boolean;
    readonly content?: readonly { readonly text: string }[];
  };
}

/** Communicates with a server over its standard streams, one JSON object per line, as assistants do. */
export async function openMcpSession(
  file: string,
  env: Readonly<Record<string, string>>,
): Promise<McpSession> {
  const child = spawn(process.execPath, [file], {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const waiting = new Map<number, (answer: Answer) => void>();
  const ended = new Promise<never>((_, reject) => {
    child.once('exit', (code) => reject(new Error(`the server exited with code ${code}`)));
  });
  ended.catch(() => {});
  createInterface(child.stdout).on('line', (line) => {
    // Some servers also print other lines.
    if (!line.startsWith('{')) return;
    const answer: Answer = JSON.parse(line);
    if (answer.id !== undefined) waiting.get(answer.id)?.(answer);
  });
  let lastId = 0;
  const send = (message: object): void => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  };
  const ask = async (method: string, params: object): Promise<Answer> => {
    const id = ++lastId;
    send({ id, method, params });
    return Promise.race([ended, new Promise<Answer>((resolve) => waiting.set(id, resolve))]);
  };

  await ask('initialize', {
    protocolVersion: '2024-11-05',
    capabilities: {},
    clientInfo: { name: 'compat', version: '0' },
  });
  send({ method: 'notifications/initialized' });
  return {
    async use(tool, args) {
      const { error, result } = await ask('tools/call', { name: tool, arguments: args });
      const text = (result?.content ?? []).map((part) => part.text).join('\n');
      assert.ok(
        error === undefined && result?.isError !== true,
        `${tool}: ${error?.message ?? text}`,
      );
      process.stdout.write(`  ${tool}\n`);
      return text;
    },
    end: () => void child.kill(),
  };
}

export function variable(name: string): string {
  const value = process.env[name];
  assert.ok(value, name);
  return value;
}
