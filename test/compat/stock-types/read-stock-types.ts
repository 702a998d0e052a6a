import { readFileSync } from 'node:fs';
import path from 'node:path';

/** A field or link that clients of EspoCRM expect; an empty text means not specified. */
export interface ExpectedPart {
  readonly entityType: string;
  readonly kind: 'field' | 'link';
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly isReadOnly: boolean;
  /** As text; `(client)` if clients fill it in. */
  readonly default: string;
  readonly maxLength: string;
  /** `link.field` of a foreign field, `Type.link` of a link, or the types of a parent as a JSON list. */
  readonly target: string;
  readonly options: readonly unknown[] | undefined;
}

/** Reads what clients of EspoCRM 10 expect of its stock types (stock-types.tsv): facts from its metadata. */
export function readStockTypes(): readonly ExpectedPart[] {
  const text = readFileSync(path.join(import.meta.dirname, 'stock-types.tsv'), 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [entityType = '', kind, name = '', type = '', ...settings] = line.split('\t');
      const [required, readOnly, usual = '', maxLength = '', target = '', options = ''] = settings;
      return {
        entityType,
        kind: kind === 'link' ? 'link' : 'field',
        name,
        type,
        isRequired: required === 'yes',
        isReadOnly: readOnly === 'yes',
        default: usual,
        maxLength,
        target,
        options: options === '' ? undefined : JSON.parse(options),
      };
    });
}
