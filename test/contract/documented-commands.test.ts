import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, CommanderError } from 'commander';
import { describe, expect, it } from 'vitest';
import { createProgram } from '../../infra/cli/program.ts';
import { findAll, readProjectFile, readSources } from './source-files.ts';

const folder = join(import.meta.dirname, '..', '..');
const documents = [
  ...readdirSync(folder).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(folder, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];

/** Parses a command line without running it, and returns the leaf commands that it would run. */
async function parse(args: readonly string[]): Promise<readonly string[]> {
  const ran: string[] = [];
  const record = async (command: Command): Promise<void> => {
    const parents = command.parent?.name() === 'annals' ? [] : [command.parent?.name()];
    ran.push([...parents, command.name()].join(' '));
  };
  const program = createProgram({ run: record, runAlone: record });
  silence(program);
  await program.parseAsync(['node', 'annals', ...args]).catch((error: unknown) => {
    if (!(error instanceof CommanderError && error.code === 'commander.version')) throw error;
    ran.push('--version');
  });
  return ran;
}

function silence(command: Command): void {
  command.configureOutput({ writeErr: () => undefined, writeOut: () => undefined });
  for (const child of command.commands) silence(child);
}

/** Splits a line into words like a shell, as far as the documents need it. */
function split(line: string): readonly string[] {
  const [program = ''] = line.split(/\s[#|>&]|[;&]/);
  return [...program.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  );
}

/** Programs of the image that are not operators' commands. */
const imagePrograms = new Set(
  findAll([readProjectFile('infra/docker/run.ts')], /^ {2}(\w+): async/gm),
);

/** Matches `npm run annals -- status`, `… exec api annals status`, and code that begins with `annals`. */
const typed = /(?:npm run annals --|exec (?:-\S+ )*\S+ annals|^\s*(?:[$] )?annals)\s+(.+)$/;
/** Matches fences of code blocks, also at the beginning of a list item. */
const fence = /^ *(?:\d+[.] )?```/;

interface WrittenLine {
  readonly line: string;
  /** True for lines of blocks, which must be complete. Code within a sentence may only name a command. */
  readonly isBlock: boolean;
}

/** Returns the command lines in the code of a document. */
function commandsIn(text: string): readonly WrittenLine[] {
  return codeIn(text).flatMap(({ line: code, isBlock }) => {
    const line = typed.exec(code)?.[1]?.trim() ?? '';
    const isOurs = line !== '' && line !== '<command>' && line !== '…';
    return isOurs && !imagePrograms.has(split(line)[0] ?? '') ? [{ line, isBlock }] : [];
  });
}

/** Returns the lines of blocks, and inline code, which may span lines. */
function codeIn(text: string): readonly WrittenLine[] {
  const blocks: string[] = [];
  const prose: string[] = [];
  let isBlock = false;
  for (const line of text.split('\n')) {
    if (fence.test(line)) isBlock = !isBlock;
    else (isBlock ? blocks : prose).push(line);
  }
  const spans = prose
    .join('\n')
    .split(/\n\s*\n/)
    .flatMap((paragraph) => [...paragraph.matchAll(/`([^`]+)`/g)])
    .map(([, code = '']) => ({ line: code.replaceAll('\n', ' '), isBlock: false }));
  return [...blocks.map((line) => ({ line, isBlock: true })), ...spans];
}

/** Returns whether a line consists only of the name of a command or of a group of commands. */
function isName(line: string): boolean {
  let at: Command | undefined = program;
  for (const word of split(line)) at = at?.commands.find((one) => one.name() === word);
  return at !== undefined;
}

function leavesOf(command: Command, path: readonly string[] = []): readonly string[] {
  return command.commands.flatMap((child) => {
    const at = [...path, child.name()];
    return child.commands.length > 0 ? leavesOf(child, at) : [at.join(' ')];
  });
}

const doNothing = async (): Promise<void> => undefined;
const program = createProgram({ run: doNothing, runAlone: doNothing });
const table = readProjectFile('docs/operations/cli.md');
const firstCells = [...table.matchAll(/^\| ((?:`[^`]+`(?:, )?)+) \|/gm)].flatMap(([, cell = '']) =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code),
);

describe('the operators’ commands in the documents', () => {
  const written = documents.flatMap((name) =>
    commandsIn(readProjectFile(name)).map((found) => ({ name, ...found })),
  );
  const lines = [...new Map(written.map((one) => [JSON.stringify(one), one])).values()];

  it('are found in blocks and in sentences', () => {
    expect(lines.filter(({ isBlock }) => isBlock).length).toBeGreaterThan(5);
    expect(lines.filter(({ isBlock }) => !isBlock).length).toBeGreaterThan(30);
    expect(new Set(lines.map(({ name }) => name))).toContain('docs/architecture/failure-modes.md');
    expect(firstCells.length).toBeGreaterThan(15);
    expect(imagePrograms.size).toBeGreaterThan(5);
  });

  it.each(lines)('are valid in $name: annals $line', async ({ line, isBlock }) => {
    if (!isBlock && isName(line)) return;
    expect(await parse(split(line))).toHaveLength(1);
  });

  it.each(firstCells)('include annals %s in docs/operations/cli.md', async (line) => {
    expect(await parse(split(line))).toHaveLength(1);
  });

  it('are all listed in docs/operations/cli.md', async () => {
    const listed = await Promise.all(firstCells.map((line) => parse(split(line))));
    const leaves = leavesOf(program);
    expect(leaves.length).toBeGreaterThan(10);
    expect([...new Set(listed.flat())].sort()).toEqual([...leaves].sort());
  });

  it('have all options documented in docs/operations/cli.md', () => {
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

it('command texts refer only to existing commands', () => {
  const texts = readSources('infra/cli');
  const named = findAll(texts, /(?<!database )\bannals ([a-z][a-z-]+(?: [a-z][a-z-]+)?)/g);
  expect(named.length).toBeGreaterThan(20);
  const unknown = named.filter((text) => {
    const [first = '', second = ''] = text.split(' ');
    const group = program.commands.find((one) => one.name() === first);
    return group === undefined || (group.commands.length > 0 && !isName(`${first} ${second}`));
  });
  expect(unknown).toEqual([]);
});

describe('the examples in --help', () => {
  const helps = leavesWithHelp(program);

  it.each(helps)('exist for annals $name and are valid command lines', async ({ name, help }) => {
    const examples = help.split('\n').flatMap((line) => typed.exec(line)?.[1] ?? []);
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
