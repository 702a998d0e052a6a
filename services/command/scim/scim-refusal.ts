import { Refusal, type RefusalKind } from '../../../shared/domain/errors.ts';

/** The kinds of bad requests in RFC 7644, section 3.12. */
type ScimType = 'invalidFilter' | 'invalidPath' | 'invalidSyntax' | 'invalidValue' | 'uniqueness';

const codePrefix = 'scim.';

/** Returns an error of a SCIM request. Its code becomes the `scimType` of the response. */
export function scimRefusal(
  scimType: ScimType,
  message: string,
  kind: RefusalKind = 'invalid',
): Refusal {
  return new Refusal(kind, `${codePrefix}${scimType}`, message);
}

/** The SCIM types of errors that other parts of Annals throw. */
const typesByCode: Readonly<Record<string, ScimType>> = {
  'body.malformed': 'invalidSyntax',
  'body.not_an_object': 'invalidSyntax',
  'record.invalid': 'invalidValue',
  'user.name_exists': 'uniqueness',
};

/** Returns undefined for an error without a SCIM type. */
export function scimTypeOf(code: string): string | undefined {
  return code.startsWith(codePrefix) ? code.slice(codePrefix.length) : typesByCode[code];
}
