import { Refusal } from '../../../../shared/domain/errors.ts';

export function cannotRelateNonExisting(foreignEntityType: string): Refusal {
  return new Refusal(
    'forbidden',
    'link.non_existing',
    `Cannot relate with a non-existing ${foreignEntityType} record.`,
    translated('cannotRelateNonExisting', { foreignEntityType }),
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
    translated('cannotRelateForbidden', { foreignEntityType, action: 'read' }),
  );
}

/** A side of a link: the record of the request, or the other record. */
export type LinkSide = 'own' | 'foreign';

/** Clients tell the two sides apart (docs/reference/espocrm-compatibility.md#refused-links). */
export function noLinkAccess(side: LinkSide, entityType: string): Refusal {
  const isOwn = side === 'own';
  return new Refusal(
    'forbidden',
    isOwn ? 'access.denied' : 'link.no_access',
    isOwn ? 'No edit access.' : `No edit access to a ${entityType} of these.`,
    translated(isOwn ? 'noAccessToRecord' : 'noAccessToForeignRecord', { action: 'edit' }),
  );
}

export function cannotLinkAlreadyLinked(): Refusal {
  return new Refusal(
    'forbidden',
    'link.already_linked',
    'The other record is linked with another one already.',
    translated('cannotLinkAlreadyLinked', {}),
  );
}

export function cannotUnlinkRequired(): Refusal {
  return new Refusal(
    'forbidden',
    'link.required',
    'The link is required and cannot be removed.',
    translated('cannotUnrelateRequiredLink', {}),
  );
}

/** Lets clients show the message in the language of their users. */
function translated(label: string, data: Readonly<Record<string, string>>): Refusal['detail'] {
  return { messageTranslation: { label, scope: null, data } };
}
