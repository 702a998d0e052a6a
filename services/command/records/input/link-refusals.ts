import { Refusal } from '../../../../shared/domain/errors.ts';

export function cannotRelateNonExisting(foreignEntityType: string): Refusal {
  const message = `Cannot relate with a non-existing ${foreignEntityType} record.`;
  return translated('link.non_existing', message, 'cannotRelateNonExisting', { foreignEntityType });
}

export function misplacedFile(field: string): Refusal {
  const message = `A file in '${field}' was not uploaded for this field.`;
  return new Refusal('forbidden', 'file.misplaced', message);
}

export function cannotRelateForbidden(foreignEntityType: string): Refusal {
  const message = `Cannot relate with a ${foreignEntityType} record: no read access.`;
  const data = { foreignEntityType, action: 'read' };
  return translated('link.forbidden', message, 'cannotRelateForbidden', data);
}

/** A side of a link: the record that the request names, or the other record. */
export type LinkSide = 'own' | 'foreign';

/**
 * Returns a refusal that names the side of the link, because clients distinguish the two
 * (docs/reference/espocrm-compatibility.md#refused-links).
 */
export function noLinkAccess(side: LinkSide, entityType: string): Refusal {
  const data = { action: 'edit' };
  if (side === 'own')
    return translated('access.denied', 'No edit access.', 'noAccessToRecord', data);
  const message = `You do not have edit access to at least one of these ${entityType} records.`;
  return translated('link.no_access', message, 'noAccessToForeignRecord', data);
}

export function cannotLinkAlreadyLinked(): Refusal {
  const message = 'The other record is already linked with another record.';
  return translated('link.already_linked', message, 'cannotLinkAlreadyLinked');
}

export function cannotUnlinkRequired(): Refusal {
  const message = 'The link is required and cannot be removed.';
  return translated('link.required', message, 'cannotUnrelateRequiredLink');
}

/** The label lets clients show the message in their users' language. */
function translated(
  code: string,
  message: string,
  label: string,
  data: Readonly<Record<string, string>> = {},
): Refusal {
  return new Refusal('forbidden', code, message, {
    messageTranslation: { label, scope: null, data },
  });
}
