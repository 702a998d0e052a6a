import type { PageTranslate } from '../../language/translate.ts';
import type { MessageKey } from '../../messages/en.ts';
import type { PageKey } from '../../messages/en-pages.ts';

type Texts = Readonly<Record<string, MessageKey | PageKey>>;

const methods: Texts = {
  password: 'signIn.password',
  token: 'system.methodToken',
  key: 'people.methodKey',
  hmac: 'people.methodHmac',
  oidc: 'system.auditOfProvider',
};

/** The error codes with which a sign-in can be rejected. */
const reasons: Texts = {
  'access.denied': 'system.reasonDenied',
  'code.invalid': 'system.reasonCode',
  'code.limited': 'system.reasonCodeLimited',
  'credentials.changed': 'system.reasonChanged',
  'credentials.invalid': 'system.reasonCredentials',
  'credentials.malformed': 'system.reasonMalformed',
  'credentials.missing': 'system.reasonMissing',
  'login.limited': 'system.reasonLimited',
  'service.unavailable': 'system.reasonUnavailable',
  'sign_in.account_linked': 'system.reasonAccountLinked',
  'sign_in.claims': 'system.reasonClaims',
  'sign_in.expired': 'system.reasonExpired',
  'sign_in.name_taken': 'system.reasonNameTaken',
  'sign_in.no_provider': 'system.reasonNoProvider',
  'sign_in.no_user': 'system.reasonNoUser',
  'sign_in.off': 'system.reasonOff',
  'sign_in.password_off': 'system.reasonPasswordOff',
  'sign_in.rejected': 'system.reasonRejected',
  'sign_in.too_many': 'system.reasonTooMany',
  'sign_in.unreachable': 'system.reasonUnreachable',
  'sign_in.user_type': 'system.reasonUserType',
  'user.inactive': 'system.reasonInactive',
  'user.name_exists': 'system.reasonNameTaken',
  'user.not_administrator': 'system.reasonNotAdministrator',
};

/** Returns how a user signed in; names methods of a later version of the server unchanged. */
export function methodText(method: string, t: PageTranslate): string {
  return textIn(methods, method, t);
}

/** Returns why a sign-in was rejected; names codes of a later version of the server unchanged. */
export function reasonText(reason: string, t: PageTranslate): string {
  return textIn(reasons, reason, t);
}

function textIn(texts: Texts, name: string, t: PageTranslate): string {
  const key = Object.hasOwn(texts, name) ? texts[name] : undefined;
  return key === undefined ? name : t(key);
}
