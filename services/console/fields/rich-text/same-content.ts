import { asInert } from './markup.ts';

/** Elements that mean the same. */
const synonyms: Readonly<Record<string, string>> = { b: 'strong', i: 'em', del: 's', strike: 's' };
/** Elements without a meaning unless they have attributes. */
const neutral = new Set(['html', 'head', 'body', 'p', 'div', 'span']);
/** Elements whose repetition has no meaning. */
const marks = new Set(['code', 'em', 's', 'strong', 'u']);
const leaves = new Set(['br', 'hr', 'img']);
/** Attributes that the console sets on every link. */
const ownAttributes = new Set(['rel', 'target']);

interface Run {
  /** The meaning of the elements that contain the text. */
  readonly place: string;
  readonly text: string;
}

/** True if two HTML texts have the same text, formatting, links and attributes. */
export function isSameContent(one: string, other: string): boolean {
  const [runs, others] = [runsOf(one), runsOf(other)];
  return (
    runs.length === others.length &&
    runs.every(({ place, text }, index) => {
      const run = others[index];
      return run?.place === place && run.text === text;
    })
  );
}

/** Splits HTML into texts of the same formatting. */
function runsOf(html: string): readonly Run[] {
  const page = new DOMParser().parseFromString(asInert(html), 'text/html');
  const runs: Run[] = [];
  addRuns(page.documentElement, [], runs);
  return runs;
}

function addRuns(node: Node, path: readonly string[], runs: Run[]): void {
  if (!(node instanceof Element)) {
    addText(node, path, runs);
    return;
  }
  const name = synonyms[node.localName] ?? node.localName;
  const inside = [...path, ...meaningOf(node, name, path)];
  if (leaves.has(name)) addRun([...inside, `${name}/`], '', runs);
  for (const child of node.childNodes) addRuns(child, inside, runs);
}

function addText(node: Node, path: readonly string[], runs: Run[]): void {
  const data = node.nodeValue ?? '';
  if (!(node instanceof Text)) {
    addRun([...path, '#comment'], data, runs);
    return;
  }
  const text = path.includes('pre') ? data : data.replaceAll(/[ \t\r\n\f]+/g, '');
  if (text !== '') addRun(path, text, runs);
}

function addRun(path: readonly string[], text: string, runs: Run[]): void {
  const place = path.toSorted().join(' ');
  const last = runs.at(-1);
  if (last?.place === place) runs[runs.length - 1] = { place, text: last.text + text };
  else runs.push({ place, text });
}

function meaningOf(element: Element, name: string, path: readonly string[]): readonly string[] {
  const attributes = [...element.attributes]
    .filter((attribute) => !ownAttributes.has(attribute.name))
    .map((attribute) => `${attribute.name}=${attribute.value}`);
  if (attributes.length > 0) return [`${name}[${attributes.toSorted().join()}]`];
  return neutral.has(name) || (marks.has(name) && path.includes(name)) ? [] : [name];
}
