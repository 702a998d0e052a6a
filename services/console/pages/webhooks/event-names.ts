import type { Metadata } from '../../api/metadata.ts';

const mostSuggestions = 12;

/** Names of events that begin like `typed`, those of types first. A name that is none of them may still be right. */
export function suggestEvents(metadata: Metadata, typed: string): readonly string[] {
  const wanted = typed.trim().toLowerCase();
  return eventNames(metadata)
    .filter((name) => name.toLowerCase().includes(wanted))
    .toSorted((one, other) => one.split('.').length - other.split('.').length)
    .slice(0, mostSuggestions);
}

function eventNames(metadata: Metadata): readonly string[] {
  return [...metadata.values()]
    .filter(({ name, scope }) => scope.object || name === 'Note')
    .flatMap(({ name, fields, links }) => {
      const several = Object.entries(links).filter(([, { type }]) => type === 'hasMany');
      return [
        ...['create', 'update', 'delete'].map((happening) => `${name}.${happening}`),
        ...Object.keys(fields).map((field) => `${name}.fieldUpdate.${field}`),
        ...several.flatMap(([link]) => [`${name}.relate.${link}`, `${name}.unrelate.${link}`]),
      ];
    });
}
