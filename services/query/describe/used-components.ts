import type { Part } from '../../../shared/http/describe/part.ts';

type Components = Readonly<Record<string, Part>>;

/** The document without unused components. */
export function withoutUnused<Document extends { readonly components: Components }>(
  document: Document,
): Part {
  const { components, ...others } = document;
  const used = new Set<string>();
  const waiting = pointersIn(others);
  for (let pointer = waiting.pop(); pointer !== undefined; pointer = waiting.pop()) {
    if (used.has(pointer)) continue;
    used.add(pointer);
    const [section = '', name = ''] = pointer.split('/');
    waiting.push(...pointersIn(components[section]?.[name]));
  }
  return { ...others, components: keepUsed(components, used) };
}

function keepUsed(components: Components, used: ReadonlySet<string>): Part {
  return Object.fromEntries(
    Object.entries(components).map(([section, parts]) => [
      section,
      section === 'securitySchemes'
        ? parts
        : Object.fromEntries(
            Object.entries(parts).filter(([name]) => used.has(`${section}/${name}`)),
          ),
    ]),
  );
}

/** `schemas/Account` for each reference to it. */
function pointersIn(part: unknown): string[] {
  const text = JSON.stringify(part) ?? '';
  return [...text.matchAll(/"\$ref":"#\/components\/([^"]+)"/g)].map(([, pointer = '']) => pointer);
}
