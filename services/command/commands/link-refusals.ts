import { Refusal } from '../../../shared/domain/errors.ts';

export function cannotRelateNonExisting(foreignEntityType: string): Refusal {
  return new Refusal(
    'forbidden',
    'link.non_existing',
    `Cannot relate with a non-existing ${foreignEntityType} record.`,
    {
      messageTranslation: {
        label: 'cannotRelateNonExisting',
        scope: null,
        data: { foreignEntityType },
      },
    },
  );
}

export function misplacedFile(field: string): Refusal {
  return new Refusal(
    'forbidden',
    'file.misplaced',
    `A file in '${field}' was not uploaded for this field.`,
  );
}

export function cannotRelateForbidden(foreignEntityType: string): Refusal {
  return new Refusal(
    'forbidden',
    'link.forbidden',
    `Cannot relate with a ${foreignEntityType} record: no read access.`,
    {
      messageTranslation: {
        label: 'cannotRelateForbidden',
        scope: null,
        data: { foreignEntityType, action: 'read' },
      },
    },
  );
}
