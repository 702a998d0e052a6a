import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { createProgram } from '../../infra/cli/program.ts';
import { readProjectFile } from './source-files.ts';

const folder = join(import.meta.dirname, '..', '..');
const documents = [
  ...readdirSync(folder).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(folder, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];

/** The leaf commands that were run, none of them for real. */
async function parse(args: readonly string[]): Promise<readonly string[]> {
  const ran: string[] = [];
  const note = async (command: Command): Promise<void> => {
    const parents = command.parent?.name() === 'annals' ? [] : [command.parent?.name()];
    ran.push([...parents, command.name()].join(' '));
  };
  const program = createProgram({ run: note, runAlone: note });
  silence(program);
  await program.parseAsync(['node', 'annals', ...args]);
  return ran;
}

function silence(command: Command): void {
  command.configureOutput({ writeErr: () => undefined, writeOut: () => undefined });
  for (const child of command.commands) silence(child);
}

/** As a shell does it, as far as documents need it. */
function split(line: string): readonly string[] {
  const [program = ''] = line.split(/\s[#|>&]|[;&]/);
  return [...program.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  );
}

/** `npm run annals -- status` and, in containers, `… exec api annals status`. */
const typed = /(?:npm run annals -- |exec \S+ annals )([^`\n]+)/g;
/** Programs of the image that are no operators' commands. */
const ofTheImage = new Set(['access', 'setup']);

function commandsIn(text: string): readonly string[] {
  return [...text.matchAll(typed)]
    .map(([, line = '']) => line.trim())
    .filter(
      (line) => line !== '<command>' && line !== '…' && !ofTheImage.has(split(line)[0] ?? ''),
    );
}

function leavesOf(command: Command, path: readonly string[] = []): readonly string[] {
  return command.commands.flatMap((child) => {
    const at = [...path, child.name()];
    return child.commands.length > 0 ? leavesOf(child, at) : [at.join(' ')];
  });
}

const nothing = async (): Promise<void> => undefined;
const program = createProgram({ run: nothing, runAlone: nothing });
const table = readProjectFile('docs/operations/cli.md');
const firstCells = [...table.matchAll(/^\| ((?:`[^`]+`(?:, )?)+) \|/gm)].flatMap(([, cell = '']) =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code),
);

describe('the operators’ commands in the documents', () => {
  const lines = documents.flatMap((name) =>
    commandsIn(readProjectFile(name)).map((line) => ({ name, line })),
  );

  it('are found', () => {
    expect(lines.length).toBeGreaterThan(15);
    expect(firstCells.length).toBeGreaterThan(15);
  });

  it.each(lines)('$name: annals $line', async ({ line }) => {
    expect(await parse(split(line))).toHaveLength(1);
  });

  it.each(firstCells)('docs/operations/cli.md lists annals %s', async (line) => {
    expect(await parse(split(line))).toHaveLength(1);
  });

  it('are all listed', async () => {
    const listed = await Promise.all(firstCells.map((line) => parse(split(line))));
    const leaves = leavesOf(program);
    expect(leaves.length).toBeGreaterThan(10);
    expect([...new Set(listed.flat())].sort()).toEqual([...leaves].sort());
  });

  it('have every option in the document', () => {
    const all = (command: Command): readonly Command[] => [
      command,
      ...command.commands.flatMap(all),
    ];
    const options = all(program).flatMap((command) =>
      command.options.map(({ long }) => long ?? ''),
    );
    const missing = [...new Set(options)].filter((option) => !table.includes(option));
    expect(missing).toEqual([]);
  });
});

describe('examples in --help', () => {
  const helps = leavesWithHelp(program);

  it.each(helps)('of annals $name are there and can be typed', async ({ name, help }) => {
    const examples = commandsIn(help);
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) expect(await parse(split(example))).toEqual([name]);
  });
});

function leavesWithHelp(
  command: Command,
): readonly { readonly name: string; readonly help: string }[] {
  return leavesOf(command).map((name) => {
    const leaf = name
      .split(' ')
      .reduce((at, part) => at.commands.find((one) => one.name() === part) ?? at, command);
    let help = '';
    leaf.configureOutput({ writeOut: (text) => (help += text) });
    leaf.outputHelp();
    return { name, help };
  });
}
