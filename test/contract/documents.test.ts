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

/** As the hosts of repositories make them: lower case, without punctuation, dashes for spaces. */
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

/** What is wrong with a link of a document. */
function problemOf(document: string, link: string): string | undefined {
  const [name = '', anchor] = link.split('#');
  const target = name === '' ? document : path.join(path.dirname(document), name);
  if (!existsSync(path.join(root, target))) return `${document}: there is no ${link}`;
  if (anchor === undefined || anchorsIn(readProjectFile(target)).includes(anchor)) return undefined;
  return `${document}: ${target} has no heading ${anchor}`;
}

function declares(file: string, name: string): boolean {
  if (!existsSync(path.join(root, file))) return false;
  const declaration = new RegExp(
    `^(?:export )?(?:async )?(?:function|class|const) ${name}\\b`,
    'm',
  );
  return declaration.test(readProjectFile(file));
}

const linksIn = (text: string): readonly string[] =>
  findAll([text], /\]\(([^)\s]+)\)/g).filter((link) => !/^[a-z]+:/.test(link));

describe('the documents', () => {
  it('link to files and headings that there are', () => {
    const links = documents.flatMap((document) =>
      linksIn(readProjectFile(document)).map((link) => ({ document, link })),
    );
    expect(links.length).toBeGreaterThan(100);
    const problems = links.flatMap(({ document, link }) => problemOf(document, link) ?? []);
    expect(problems).toEqual([]);
  });

  it('are all linked from another one', () => {
    const linked = new Set(
      documents.flatMap((document) =>
        linksIn(readProjectFile(document)).map((link) =>
          path.join(path.dirname(document), link.split('#', 1)[0] ?? ''),
        ),
      ),
    );
    const alone = documents.filter((name) => !linked.has(name) && name !== 'README.md');
    expect(alone).toEqual([]);
  });

  it('name functions that their files declare', () => {
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

  it('name scripts that package.json has', () => {
    const { scripts }: { readonly scripts: object } = JSON.parse(readProjectFile('package.json'));
    const named = findAll(documents.map(readProjectFile), /\bnpm run ([a-z][a-z0-9:]*)/g);
    expect(named.length).toBeGreaterThan(8);
    expect(named.filter((name) => !Object.keys(scripts).includes(name))).toEqual([]);
  });
});

describe('docs/adr/README.md', () => {
  it('lists every decision under its number and title, in order', () => {
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
