import type { AuditEntry } from '../../api/system.ts';
import type { PageTranslate } from '../../language/page-text.ts';

type Method = NonNullable<AuditEntry['signIn']>['method'];

const texts = {
  password: 'signIn.password',
  key: 'people.methodKey',
  hmac: 'people.methodHmac',
  oidc: 'system.auditOfProvider',
} as const;

/** Returns how a user signed in; names methods of a later version of the server unchanged. */
export function methodText(method: Method, t: PageTranslate): string {
  return method in texts ? t(texts[method as keyof typeof texts]) : method;
}
