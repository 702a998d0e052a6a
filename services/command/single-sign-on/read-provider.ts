import { type FieldProblem, validationFailure } from '../../../shared/domain/errors.ts';
import { isStorableText } from '../../../shared/domain/field/types/text/read-text.ts';
import {
  clientAuthentications,
  type GroupMapping,
  type ProviderEndpoints,
  type ProviderSettings,
} from '../../../shared/domain/login/sign-in-provider.ts';
import { printable } from '../../../shared/domain/printable.ts';
import type { JsonObject } from '../owner/read-body.ts';

/** The settings in a request, and the client secret in clear text. */
export interface ProviderInput {
  readonly settings: ProviderSettings;
  /** Undefined keeps the stored secret, null removes it. */
  readonly clientSecret: string | null | undefined;
}

const MAX_NAME = 100;
const MAX_TEXT = 255;
const MAX_URL = 2_000;
const MAX_SECRET = 4_000;
const MAX_SCOPES = 20;
const MAX_MAPPINGS = 500;
const MAX_IDS = 50;
const MAX_AGE_SECONDS = 31_536_000;
/** RFC 6749, section 3.3. */
const scopeForm = /^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/;
const prompts = ['login', 'consent', 'select_account', 'none'];

/** The settings of a new provider, as far as a request does not name them. */
export const defaultSettings: Partial<ProviderSettings> = {
  isActive: true,
  clientAuthentication: 'client_secret_basic',
  endpoints: null,
  scopes: ['profile', 'email'],
  prompt: null,
  maxAgeSeconds: null,
  userNameClaim: 'preferred_username',
  groupClaim: null,
  groups: [],
  createsUsers: false,
  linksByUserName: false,
  allowsAdministrators: false,
  syncsUser: false,
  syncsGroups: false,
};

/**
 * Reads the settings of a provider from a request. Settings that the body omits keep their `current` values. Throws with
 * every problem that it finds.
 */
export function readProvider(body: JsonObject, current: Partial<ProviderSettings>): ProviderInput {
  const problems: FieldProblem[] = [];
  const report = (field: string, requirement: string) => {
    problems.push({ field, type: 'valid', message: `${field} ${requirement}.` });
  };
  const { clientSecret, ...given } = body;
  const {
    id: _,
    hasClientSecret: __,
    hasScimToken: ___,
    ...known
  } = { ...current, ...given } as JsonObject;
  for (const name of Object.keys(known).filter((one) => !settingNames.has(one))) {
    report(printable(name), 'is not a setting of a provider');
  }
  const text = (name: string, max: number) => readText(known[name], { name, max, report });
  const flag = (name: string) => {
    if (typeof known[name] !== 'boolean') report(name, 'must be true or false');
    return known[name] === true;
  };
  const settings: ProviderSettings = {
    name: text('name', MAX_NAME),
    isActive: flag('isActive'),
    issuer: readUrl(known['issuer'], 'issuer', report),
    clientId: text('clientId', MAX_TEXT),
    clientAuthentication: readAuthentication(known['clientAuthentication'], report),
    endpoints: readEndpoints(known['endpoints'], report),
    scopes: readScopes(known['scopes'], report),
    prompt: readPrompt(known['prompt'], report),
    maxAgeSeconds: readMaxAge(known['maxAgeSeconds'], report),
    userNameClaim: text('userNameClaim', MAX_TEXT),
    groupClaim: known['groupClaim'] === null ? null : text('groupClaim', MAX_TEXT),
    groups: readGroups(known['groups'], report),
    createsUsers: flag('createsUsers'),
    linksByUserName: flag('linksByUserName'),
    allowsAdministrators: flag('allowsAdministrators'),
    syncsUser: flag('syncsUser'),
    syncsGroups: flag('syncsGroups'),
  };
  const isKept = clientSecret === undefined || clientSecret === null;
  const secret = isKept
    ? clientSecret
    : readText(clientSecret, { name: 'clientSecret', max: MAX_SECRET, report });
  const [first, ...others] = problems;
  if (first !== undefined) throw validationFailure('SignInProvider', [first, ...others]);
  return { settings, clientSecret: secret };
}

const settingNames: ReadonlySet<string> = new Set([
  ...Object.keys(defaultSettings),
  'name',
  'issuer',
  'clientId',
]);

type Report = (field: string, requirement: string) => void;

function readText(
  value: unknown,
  { name, max, report }: { readonly name: string; readonly max: number; readonly report: Report },
): string {
  const text = typeof value === 'string' ? value.trim() : '';
  if (text === '' || text.length > max || !isStorableText(text)) {
    report(name, `must be a text of 1 to ${max} characters`);
  }
  return text;
}

function readUrl(value: unknown, name: string, report: Report): string {
  const text = typeof value === 'string' ? value.trim() : '';
  const url = URL.parse(text);
  const isPlain =
    url !== null &&
    (url.protocol === 'https:' || url.protocol === 'http:') &&
    url.username === '' &&
    url.password === '' &&
    url.hash === '';
  if (!isPlain || text.length > MAX_URL) {
    report(name, 'must be an address that begins with https://, without user name and fragment');
  }
  return text;
}

function readAuthentication(
  value: unknown,
  report: Report,
): ProviderSettings['clientAuthentication'] {
  const found = clientAuthentications.find((one) => one === value);
  if (found === undefined) {
    report('clientAuthentication', `must be one of ${clientAuthentications.join(', ')}`);
  }
  return found ?? 'none';
}

function readEndpoints(value: unknown, report: Report): ProviderEndpoints | null {
  if (value === null) return null;
  if (typeof value !== 'object') {
    report('endpoints', 'must be null, or an object with authorization, token and jwks');
    return null;
  }
  const { authorization, token, jwks, userInfo = null } = { ...value } as JsonObject;
  return {
    authorization: readUrl(authorization, 'endpoints.authorization', report),
    token: readUrl(token, 'endpoints.token', report),
    jwks: readUrl(jwks, 'endpoints.jwks', report),
    userInfo: userInfo === null ? null : readUrl(userInfo, 'endpoints.userInfo', report),
  };
}

function readScopes(value: unknown, report: Report): readonly string[] {
  const scopes = toTexts(value);
  if (
    scopes === undefined ||
    scopes.length > MAX_SCOPES ||
    scopes.some((one) => !scopeForm.test(one))
  ) {
    report(
      'scopes',
      `must be a list of at most ${MAX_SCOPES} scopes, such as ["profile", "email"]`,
    );
  }
  return [...new Set(scopes)].filter((one) => one !== 'openid');
}

function readPrompt(value: unknown, report: Report): string | null {
  if (value === null) return null;
  const found = prompts.find((one) => one === value);
  if (found === undefined) report('prompt', `must be null or one of ${prompts.join(', ')}`);
  return found ?? null;
}

function readMaxAge(value: unknown, report: Report): number | null {
  if (value === null) return null;
  const isSeconds = typeof value === 'number' && Number.isInteger(value) && value >= 0;
  if (isSeconds && value <= MAX_AGE_SECONDS) return value;
  report('maxAgeSeconds', `must be null, or whole seconds from 0 to ${MAX_AGE_SECONDS}`);
  return null;
}

function readGroups(value: unknown, report: Report): readonly GroupMapping[] {
  if (!Array.isArray(value) || value.length > MAX_MAPPINGS) {
    report('groups', `must be a list of at most ${MAX_MAPPINGS} groups`);
    return [];
  }
  const read = value.map((one: unknown, index) => {
    const { group, teamsIds = [], rolesIds = [] } = toMapping(one);
    const name = `groups[${index}]`;
    return {
      group: readText(group, { name: `${name}.group`, max: MAX_TEXT, report }),
      teamsIds: readIds(teamsIds, `${name}.teamsIds`, report),
      rolesIds: readIds(rolesIds, `${name}.rolesIds`, report),
    };
  });
  if (new Set(read.map(({ group }) => group)).size < read.length) {
    report('groups', 'must name each group only once');
  }
  return read;
}

function toMapping(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function readIds(value: unknown, name: string, report: Report): readonly string[] {
  const ids = toTexts(value);
  if (ids === undefined || ids.length > MAX_IDS) {
    report(name, `must be a list of at most ${MAX_IDS} ids`);
  }
  return [...new Set(ids)];
}

function toTexts(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) && value.every((one) => typeof one === 'string') ? value : undefined;
}
