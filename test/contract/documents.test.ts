import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { findAll, readProjectFile } from './source-files.ts';

const root = path.resolve(import.meta.dirname, '../..');
const namesIn = (folder: string): readonly string[] =>
  readdirSync(path.join(root, folder), { encoding: 'utf8', recursive: folder !== '.' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => path.join(folder, name));
const documents = [...namesIn('.'), ...namesIn('docs')];
/**
 * Files that git tracks, and new ones that it does not ignore. The list of language exceptions is excluded: it names
 * files, including files that have just been renamed.
 */
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .trim()
  .split('\n')
  .filter((name) => existsSync(path.join(root, name)))
  .filter((name) => !/(?:^|\/)package-lock\.json$|\.(?:lock|sum|png)$/.test(name))
  .filter((name) => name !== 'infra/english-exceptions.json');
const decisions = readdirSync(path.join(root, 'docs/adr'));

/** Returns the anchors of headings as GitHub generates them: lower case, no punctuation, dashes for spaces. */
function anchorsIn(text: string): readonly string[] {
  const prose = text.replaceAll(/^```.*?^```/gms, '');
  return [...prose.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** Returns what is wrong with a link in a document, or undefined. */
function problemOf(document: string, link: string): string | undefined {
  const [name = '', anchor] = link.split('#');
  const target = name === '' ? document : path.join(path.dirname(document), name);
  return problemAt(document, { target, anchor });
}

function problemAt(
  place: string,
  { target, anchor }: { readonly target: string; readonly anchor: string | undefined },
): string | undefined {
  if (!existsSync(path.join(root, target))) return `${place}: ${target} does not exist`;
  if (anchor === undefined || anchorsIn(readProjectFile(target)).includes(anchor)) return undefined;
  return `${place}: ${target} has no heading ${anchor}`;
}

/** Matches names of documents in a text, except in links and in the last parts of paths that code composes. */
const mentions =
  /(?<!\]\(|[\w./-]|'(?=[\w-]+\.md'))(?:https?:\/\/[\w.-]+\/)?([\w./-]*\w\.md)\b(?:#([\w-]+))?/g;

/** Documents are named by their path from the root, by neighbours also relatively, and by alerts relatively to docs. */
function mentionProblems(file: string, text: string): readonly string[] {
  const folders = ['.', ...(file.endsWith('.md') ? [path.dirname(file)] : []), 'docs'];
  return [...text.matchAll(mentions)].flatMap(([, name = '', anchor]) => {
    // An import.
    if (name.startsWith('../')) return problemOf(file, name) ?? [];
    const places = name.startsWith('/') ? folders : folders.filter((folder) => folder !== 'docs');
    const paths = places.map((folder) => path.join(folder, name));
    const target = paths.find((one) => existsSync(path.join(root, one))) ?? name;
    return problemAt(file, { target, anchor }) ?? [];
  });
}

/** Returns references such as `docs/adr/0012` and `ADR 12` to decisions that do not exist. */
function decisionProblems(file: string, text: string): readonly string[] {
  const numbers = findAll([text], /\b(?:docs\/adr\/|ADR )(\d+)/g);
  return numbers
    .filter((number) => !decisions.some((name) => name.startsWith(`${number.padStart(4, '0')}-`)))
    .map((number) => `${file}: decision ${number} does not exist`);
}

/** Matches references to documents that are not in this repository. */
const foreign = [
  /\bapi-(?:contract|facts)\b/gi,
  /\bmeasured-facts\b/gi,
  /\bW\d{1,2}\b/g,
  /\.md`?,? sections?\b/gi,
  /\bthe (?:spec|specification|contract|brief|facts)\b/gi,
  /\bspecification, section\b/gi,
  /\b(?:style guide|house (?:rules|style))\b/gi,
  /§ ?\d|(?<!\bRFC \d+, )\bsections? \d/gi,
];

function declares(file: string, name: string): boolean {
  if (!existsSync(path.join(root, file))) return false;
  const declaration = new RegExp(
    `^(?:export )?(?:async )?(?:function\\*?|class|const) ${name}\\b`,
    'm',
  );
  return declaration.test(readProjectFile(file));
}

const linksIn = (text: string): readonly string[] =>
  findAll([text], /\]\(([^)\s]+)\)/g).filter((link) => !/^[a-z]+:/.test(link));

describe('the documents', () => {
  it('link only to existing files and headings', () => {
    const links = documents.flatMap((document) =>
      linksIn(readProjectFile(document)).map((link) => ({ document, link })),
    );
    expect(links.length).toBeGreaterThan(100);
    const problems = links.flatMap(({ document, link }) => problemOf(document, link) ?? []);
    expect(problems).toEqual([]);
  });

  it('are referenced only by existing paths, in code, tests and other documents', () => {
    const texts = files.map((file) => ({ file, text: readProjectFile(file) }));
    const named = texts.filter(({ text }) => text.search(mentions) !== -1);
    expect(named.length).toBeGreaterThan(80);
    const problems = texts.flatMap(({ file, text }) => [
      ...mentionProblems(file, text),
      ...decisionProblems(file, text),
    ]);
    expect(problems).toEqual([]);
  });

  it('are the only documents that the repository references', () => {
    const problems = files
      .filter((file) => file !== 'test/contract/documents.test.ts')
      .flatMap((file) => {
        const text = readProjectFile(file);
        return foreign
          .flatMap((pattern) => [...text.matchAll(pattern)])
          .map(([words]) => `${file}: ${words}`);
      });
    expect(problems).toEqual([]);
  });

  it('are all linked from another document', () => {
    const linked = new Set(
      documents.flatMap((document) =>
        linksIn(readProjectFile(document)).map((link) =>
          path.join(path.dirname(document), link.split('#', 1)[0] ?? ''),
        ),
      ),
    );
    const unlinked = documents.filter((name) => !linked.has(name) && name !== 'README.md');
    expect(unlinked).toEqual([]);
  });

  it('name only functions that their files declare', () => {
    const named = documents.flatMap((document) => {
      const references = readProjectFile(document).matchAll(/`([a-z][\w./-]*\.ts):([A-Za-z]\w*)`/g);
      return [...references].map(([, file = '', name = '']) => ({ document, file, name }));
    });
    for (const walk of ['write-path', 'read-path', 'read-model', 'webhooks']) {
      const steps = named.filter(({ document }) => document === `docs/architecture/${walk}.md`);
      expect(steps.length, walk).toBeGreaterThan(5);
    }
    const problems = named.filter(({ file, name }) => !declares(file, name));
    expect(problems).toEqual([]);
  });

  it('name only scripts of package.json', () => {
    const { scripts }: { readonly scripts: object } = JSON.parse(readProjectFile('package.json'));
    const named = findAll(documents.map(readProjectFile), /\bnpm run ([a-z][a-z0-9:]*)/g);
    expect(named.length).toBeGreaterThan(8);
    expect(named.filter((name) => !Object.keys(scripts).includes(name))).toEqual([]);
  });
});

describe('docs/adr/README.md', () => {
  it('lists all decisions in order with number and title', () => {
    const pages = readdirSync(path.join(root, 'docs/adr')).filter((name) => /^\d{4}-/.test(name));
    const lines = pages.toSorted().map((name) => {
      const [, number, title] = /^# (\d+)\. (.*)$/m.exec(readProjectFile(`docs/adr/${name}`)) ?? [];
      expect(Number(name.slice(0, 4))).toBe(Number(number));
      return `| ${number} | [${title}](${name}) |`;
    });
    expect(lines.length).toBeGreaterThan(15);
    const listed = readProjectFile('docs/adr/README.md').split('\n');
    expect(listed.filter((line) => /^\| \d/.test(line))).toEqual(lines);
  });
});
