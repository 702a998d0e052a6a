type Expected = 'value' | 'value or ]' | 'key' | 'key or }' | ':' | 'after value';

interface Scan {
  readonly text: string;
  /** The brackets that are still open at the current position. */
  readonly open: ('{' | '[')[];
  expected: Expected;
}

/**
 * Returns the position of the first JSON syntax error; the length of the text if the text only ends too early.
 * JSON.parse reports the position only for some errors, so this function scans the text that it rejected.
 */
export function findJsonError(text: string): number {
  const scan: Scan = { text, open: [], expected: 'value' };
  let position = 0;
  for (;;) {
    position = matchAt(/[ \t\n\r]*/y, text, position) ?? position;
    const next = position < text.length ? readToken(scan, position) : undefined;
    if (next === undefined) return position;
    position = next;
  }
}

/** Returns the end of the token that starts here; undefined if no token starts here. */
function readToken(scan: Scan, at: number): number | undefined {
  const character = scan.text.charAt(at);
  switch (scan.expected) {
    case ':':
      scan.expected = 'value';
      return character === ':' ? at + 1 : undefined;
    case 'after value':
      return readSeparator(scan, character) ? at + 1 : undefined;
    case 'key':
    case 'key or }':
      if (character === '}' && scan.expected === 'key or }') return close(scan, at);
      scan.expected = ':';
      return readString(scan.text, at);
    case 'value':
    case 'value or ]':
      if (character === ']' && scan.expected === 'value or ]') return close(scan, at);
      return readValue(scan, at);
  }
}

function readSeparator(scan: Scan, character: string): boolean {
  const inside = scan.open.at(-1);
  if (character === ',' && inside !== undefined) {
    scan.expected = inside === '{' ? 'key' : 'value';
    return true;
  }
  if (character !== (inside === '{' ? '}' : ']') || inside === undefined) return false;
  scan.open.pop();
  return true;
}

function close(scan: Scan, at: number): number {
  scan.open.pop();
  scan.expected = 'after value';
  return at + 1;
}

function readValue(scan: Scan, at: number): number | undefined {
  const character = scan.text.charAt(at);
  if (character === '{' || character === '[') {
    scan.open.push(character);
    scan.expected = character === '{' ? 'key or }' : 'value or ]';
    return at + 1;
  }
  scan.expected = 'after value';
  if (character === '"') return readString(scan.text, at);
  const scalar = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.])/y;
  return matchAt(scalar, scan.text, at);
}

/** Scans character by character: a regular expression could overflow the stack on a long string. */
function readString(text: string, at: number): number | undefined {
  if (text.charAt(at) !== '"') return undefined;
  let position = at + 1;
  while (position < text.length) {
    const character = text.charAt(position);
    if (character === '"') return position + 1;
    if (character < ' ') return undefined;
    const end =
      character === '\\'
        ? matchAt(/\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y, text, position)
        : position + 1;
    if (end === undefined) return undefined;
    position = end;
  }
  return undefined;
}

function matchAt(sticky: RegExp, text: string, at: number): number | undefined {
  sticky.lastIndex = at;
  return sticky.test(text) ? sticky.lastIndex : undefined;
}
