interface XmlElement {
  /** The text of the attributes. */
  readonly attributes: string;
  readonly content: string;
}

/**
 * Returns the elements with a name, in any namespace and at any level. They must not contain elements of the same name,
 * as is the case for the parts of spreadsheets.
 */
export function* elementsIn(xml: string, name: string): Generator<XmlElement> {
  const pattern = new RegExp(
    `<((?:\\w+:)?${name})(?=[\\s/>])((?:[^>"']|"[^"]*"|'[^']*')*?)(/?)>`,
    'g',
  );
  for (let match = pattern.exec(xml); match !== null; match = pattern.exec(xml)) {
    const [, qualified = name, attributes = '', isEmpty] = match;
    if (isEmpty === '/') {
      yield { attributes, content: '' };
      continue;
    }
    const end = xml.indexOf(`</${qualified}>`, pattern.lastIndex);
    if (end < 0) return;
    yield { attributes, content: xml.slice(pattern.lastIndex, end) };
    pattern.lastIndex = end;
  }
}

export function attributesIn(attributes: string): Readonly<Record<string, string>> {
  const found = attributes.matchAll(/([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g);
  return Object.fromEntries(
    [...found].map(([, name = '', double, single]) => [name, unescapeXml(double ?? single ?? '')]),
  );
}

/** Returns the text of a string, which may have parts of different formats. Omits phonetic hints. */
export function textOf(content: string): string {
  const hints = [...elementsIn(content, 'rPh')].map((hint) => hint.content);
  const visible = hints.reduce((rest, hint) => rest.replace(hint, ''), content);
  return [...elementsIn(visible, 't')]
    .map((part) => unescapeXml(part.content))
    .join('')
    .replaceAll(/_x([0-9a-f]{4})_/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  apos: "'",
  gt: '>',
  lt: '<',
  quot: '"',
};

export function unescapeXml(text: string): string {
  if (!text.includes('&')) return text;
  return text.replaceAll(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w{1,5}));/gi,
    (whole, hex, decimal, name) => {
      if (name !== undefined) return entities[name] ?? whole;
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : '';
    },
  );
}
