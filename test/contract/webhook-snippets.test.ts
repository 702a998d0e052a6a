import { spawnSync } from 'node:child_process';
import { createSecretKey } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signBody } from '../../services/dispatcher/deliver/request/build-request.ts';
import { readProjectFile } from './source-files.ts';

interface Language {
  readonly name: string;
  /** Command that succeeds if the language is installed. */
  readonly probe: readonly string[];
  readonly files: (snippet: string) => Readonly<Record<string, string>>;
  readonly commands: readonly (readonly string[])[];
}

/** Each program gets groups of id, timestamp, signatures, body and secret as arguments, and prints a line per group. */
const languages: readonly Language[] = [
  {
    name: 'typescript',
    probe: [process.execPath, '--version'],
    files: (snippet) => ({
      'main.ts': `${snippet}
for (let at = 2; at < process.argv.length; at += 5) {
  const [id, timestamp, signatures, body, secret] = process.argv.slice(at, at + 5);
  console.log(verify(id, timestamp, signatures, Buffer.from(body), secret));
}`,
    }),
    commands: [[process.execPath, 'main.ts']],
  },
  {
    name: 'python',
    probe: ['python3', '--version'],
    files: (snippet) => ({
      'main.py': `${snippet}
import sys
for at in range(1, len(sys.argv), 5):
    i, t, s, b, k = sys.argv[at:at + 5]
    print(str(verify(i, t, s, b.encode(), k)).lower())`,
    }),
    commands: [['python3', 'main.py']],
  },
  {
    name: 'php',
    probe: ['php', '--version'],
    files: (snippet) => ({
      'main.php': `<?php
${snippet}
foreach (array_chunk(array_slice($argv, 1), 5) as $case) {
    echo verify(...$case) ? 'true' : 'false', "\\n";
}`,
    }),
    commands: [['php', 'main.php']],
  },
  {
    name: 'go',
    probe: ['go', 'version'],
    files: (snippet) => ({
      'verify.go': snippet,
      'main.go': `package main

import (
	"fmt"
	"os"
)

func main() {
	for at := 1; at < len(os.Args); at += 5 {
		fmt.Println(Verify(os.Args[at], os.Args[at+1], os.Args[at+2], []byte(os.Args[at+3]), os.Args[at+4]))
	}
}`,
      'go.mod': 'module snippet\n\ngo 1.20\n',
    }),
    commands: [['go', 'run', '.']],
  },
  {
    name: 'java',
    probe: ['javac', '-version'],
    files: (snippet) => ({
      'Webhooks.java': snippet,
      'Main.java': `import java.nio.charset.StandardCharsets;
class Main {
    public static void main(String[] a) throws Exception {
        for (int i = 0; i < a.length; i += 5) {
            byte[] body = a[i + 3].getBytes(StandardCharsets.UTF_8);
            System.out.println(Webhooks.verify(a[i], a[i + 1], a[i + 2], body, a[i + 4]));
        }
    }
}`,
    }),
    commands: [
      ['javac', '-encoding', 'UTF-8', 'Webhooks.java', 'Main.java'],
      ['java', '-Dsun.jnu.encoding=UTF-8', '-cp', '.', 'Main'],
    ],
  },
];

const body = '[{"id":"1","name":"Acme & Sons"}]';
const secret = '9f'.repeat(32);
const now = Math.floor(Date.now() / 1000);

function sign(timestampSeconds: number, ...secrets: readonly [string, ...string[]]): string {
  const [first, ...others] = secrets.map((text) => createSecretKey(Buffer.from(text)));
  if (first === undefined) throw new Error('no secret');
  const content = { body: Buffer.from(body), webhookId: 'w1', batchId: 'b1', timestampSeconds };
  return signBody(content, [first, ...others]).standard;
}

const good = ['b1', `${now}`, sign(now, secret), body, secret] as const;
const cases = [
  { title: 'a delivery', parts: good, isValid: true },
  {
    title: 'a delivery signed with two secrets',
    parts: ['b1', `${now}`, sign(now, 'new', secret), body, secret],
    isValid: true,
  },
  { title: 'another body', parts: good.with(3, `${body} `), isValid: false },
  { title: 'another id', parts: good.with(0, 'b2'), isValid: false },
  { title: 'another secret', parts: good.with(4, 'another'), isValid: false },
  {
    title: 'an expired signature',
    parts: ['b1', `${now - 600}`, sign(now - 600, secret), body, secret],
    isValid: false,
  },
  { title: 'no signature', parts: good.with(2, 'v1,'), isValid: false },
];

let directory: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'annals-snippets-'));
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

function run([command = '', ...args]: readonly string[], cwd: string): string {
  const env = { ...process.env, GOFLAGS: '-mod=mod', GOTOOLCHAIN: 'local' };
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command}: ${stderr}`);
  return stdout;
}

const isInstalled = ([command = '', ...args]: readonly string[]) =>
  spawnSync(command, args).status === 0;

describe('the documented verification', () => {
  const document = readProjectFile('docs/reference/webhooks.md');

  for (const { name, probe, files, commands } of languages) {
    it(`accepts valid requests and rejects forged and expired ones in ${name}`, {
      timeout: 120_000,
    }, (context) => {
      const snippet = new RegExp(`\`\`\`${name}\n([^]*?)\`\`\``).exec(document)?.[1];
      if (snippet === undefined)
        throw new Error(`docs/reference/webhooks.md has no snippet in ${name}`);
      if (!isInstalled(probe)) context.skip(`${name} is not installed`);
      const cwd = mkdtempSync(join(directory, `${name}-`));
      for (const [file, text] of Object.entries(files(snippet)))
        writeFileSync(join(cwd, file), text);
      const [last = [], ...before] = commands.toReversed();
      for (const command of before) run(command, cwd);
      const output = run([...last, ...cases.flatMap(({ parts }) => parts)], cwd);
      const lines = output.trim().split('\n');
      expect(cases.map(({ title }, index) => `${title}: ${lines[index]}`)).toEqual(
        cases.map(({ title, isValid }) => `${title}: ${isValid}`),
      );
    });
  }
});
