/**
 * Part of `npm run check`: reports words that CONTRIBUTING.md ("How we write") replaces with plainer ones, in comments,
 * messages, test titles and documents. Quoted output between backquotes is not checked.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import ts from 'typescript';

/** Words to avoid, each with its replacement. */
const replacements: readonly (readonly [RegExp, string])[] = [
  [/\banew\b/gi, 'again'],
  [/\bany more\b(?! than\b)/gi, 'any longer, or a direct statement'],
  [/\bat once\b/gi, 'immediately, or together'],
  [/\bbeside\b/gi, 'next to, or in addition to'],
  [/\b(?:go|goes|went|going) on\b/gi, 'continue'],
  [/\b(?:is|are|was|were|be) none\b/gi, 'is not, or invalid'],
  [/\b(?:is|are|was|were|be) no\b(?! longer\b)/gi, 'is not, or invalid'],
  [/\bmend(?:s|ed|ing)?\b/gi, 'fix, or repair'],
  [/\b(?:nobody|somebody|whoever)\b/gi, 'a noun: no caller, a user, an operator'],
  [/\bof (?:its|their|his) own\b/gi, 'its own x, or separate'],
  [/\bshall\b/gi, 'must, or the present tense'],
  [/\b(?:stand|stands|stood|standing) (?:in|for|at)\b(?!-)/gi, 'is in, or is'],
  [/\b(?:tell|tells|told|telling)\b/gi, 'return, report, or say'],
  [/\banswers\b(?! (?:\d|HTTP))/gi, 'returns, responds, or responses'],
  [/\basks? who\b/gi, 'authenticates, or identifies'],
  [/\bwhat it is worth\b/gi, 'a noun'],
  [/\bwhat came of\b/gi, 'the outcome of'],
  [/\bas (?:it|they) (?:is|are|was|were)\b(?! (?:read|written|used|sent|needed))/gi, 'unchanged'],
  [/\bby itself\b/gi, 'automatically'],
  [/\bput off\b/gi, 'postpone, or defer'],
  [/\b(?:find|finds|found|finding) out\b/gi, 'detect, or determine'],
  [/\b(?:is|are) to be had\b/gi, 'is available'],
  [/\blies\b/gi, 'is, or is stored'],
  [/\bno more\b(?! than\b)/gi, 'no longer, or no further'],
  [/\bso that none\b/gi, 'so that no x'],
  [/\bthose that\b/gi, 'a noun'],
];

/**
 * The number of such words that each file may still contain. Numbers may only decrease: the check also fails if a file
 * contains fewer than listed.
 */
const exceptionsPath = 'infra/english-exceptions.json';

/** This file lists the words themselves, and the German messages are not English. */
const unchecked = /^infra\/check-english\.ts$|messages\/de/;

interface Text {
  readonly offset: number;
  readonly text: string;
}

const args = process.argv.slice(2);
const isUpdate = args.includes('--update');
/** If any are given, only files with these prefixes are checked, and no exceptions apply. */
const prefixes = args.filter((argument) => argument !== '--update');
const exceptions = JSON.parse(readFileSync(exceptionsPath, 'utf8')) as Record<string, number>;
const counts: Record<string, number> = {};
const findings: string[] = [];

for (const path of listFiles()) {
  if (!isIncluded(path)) continue;
  const found = findIn(path);
  if (found.length > 0) counts[path] = found.length;
  const allowed = prefixes.length === 0 ? (exceptions[path] ?? 0) : 0;
  if (found.length > allowed) findings.push(...found);
  if (found.length < allowed) {
    findings.push(
      `${path}: has ${found.length} such words, not ${allowed}: lower its number in ${exceptionsPath}`,
    );
  }
}

if (isUpdate) {
  writeFileSync(exceptionsPath, `${JSON.stringify(counts, undefined, 2)}\n`);
} else if (findings.length > 0) {
  process.stderr.write(`${findings.join('\n')}\n`);
  process.exitCode = 1;
}

function isIncluded(path: string): boolean {
  return prefixes.length === 0 || prefixes.some((prefix) => path.startsWith(prefix));
}

function listFiles(): string[] {
  return execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
    .split('\n')
    .filter((path) =>
      /\.(?:tsx?|mjs|cjs|md|ya?ml|example|java)$|messages\/en\/.*\.json$/.test(path),
    )
    .filter((path) => !unchecked.test(path));
}

function findIn(path: string): string[] {
  let source: string;
  try {
    source = readFileSync(path, 'utf8');
  } catch {
    return []; // Deleted, but not yet committed.
  }
  return readTexts(path, source).flatMap(({ offset, text }) => {
    const prose = text.replaceAll(/`[^`]*`/g, (quoted) => ' '.repeat(quoted.length));
    return replacements.flatMap(([pattern, better]) =>
      [...prose.matchAll(pattern)].map((match) => {
        const line = source.slice(0, offset + match.index).split('\n').length;
        return `${path}:${line}: "${match[0]}": write ${better}`;
      }),
    );
  });
}

function readTexts(path: string, source: string): Text[] {
  if (/\.md$/.test(path)) return readMarkdown(source);
  if (/\.json$/.test(path)) return [{ offset: 0, text: source }];
  if (/\.(?:tsx?|mjs|cjs)$/.test(path)) return readTypeScript(path, source);
  return [...source.matchAll(/(?:#|\/\/|\/?\*).*/g)].map((match) => ({
    offset: match.index,
    text: match[0],
  }));
}

/** Returns the text with fenced code blocks blanked out, so that offsets stay the same. */
function readMarkdown(source: string): Text[] {
  const prose = source.replaceAll(/^ *```[\s\S]*?^ *```/gm, (block) =>
    block.replaceAll(/[^\n]/g, ' '),
  );
  return [{ offset: 0, text: prose }];
}

/** Returns all comments, and all strings with more than one word. */
function readTypeScript(path: string, source: string): Text[] {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  const texts = new Map<number, string>();
  const visit = (node: ts.Node): void => {
    for (const { pos, end } of findComments(node, source)) texts.set(pos, source.slice(pos, end));
    if (isText(node)) texts.set(node.getStart(), node.getText().replaceAll(/^`|`$/g, ' '));
    for (const child of node.getChildren()) visit(child);
  };
  visit(file);
  return [...texts].map(([offset, text]) => ({ offset, text }));
}

function findComments(node: ts.Node, source: string): ts.CommentRange[] {
  if (ts.isJsxText(node)) return [];
  return [
    ...(ts.getLeadingCommentRanges(source, node.getFullStart()) ?? []),
    ...(ts.getTrailingCommentRanges(source, node.getEnd()) ?? []),
  ];
}

function isText(node: ts.Node): boolean {
  const isString =
    ts.isStringLiteralLike(node) ||
    ts.isTemplateHead(node) ||
    ts.isTemplateMiddleOrTemplateTail(node) ||
    ts.isJsxText(node);
  return isString && /\S\s\S/.test(node.getText());
}
