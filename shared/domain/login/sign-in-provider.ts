import type { RecordState } from '../record/record-state.ts';
import type { AttributeValue, AttributeValues } from '../value/attribute-values.ts';
import { toObject } from '../value/attribute-values.ts';

/**
 * Entity type of the OpenID Connect providers in the directory log. Like log-ins, the type has no definition, so clients
 * cannot access it as a record.
 */
export const signInProviderType = 'SignInProvider';

export const clientAuthentications = ['client_secret_basic', 'client_secret_post', 'none'] as const;

/** The endpoints of a provider without discovery. */
export interface ProviderEndpoints {
  readonly authorization: string;
  readonly token: string;
  readonly jwks: string;
  /** Null if the provider has none: all claims are then in the ID token. */
  readonly userInfo: string | null;
}

/** The teams and roles of users whom the provider assigns to a group. */
export interface GroupMapping {
  /** The value in the group claim. */
  readonly group: string;
  readonly teamsIds: readonly string[];
  readonly rolesIds: readonly string[];
}

/** The settings of a provider, as administrators write them. */
export interface ProviderSettings {
  /** The text of the button on the sign-in page. */
  readonly name: string;
  readonly isActive: boolean;
  /** Identifies the provider: exactly the `iss` claim of its tokens. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientAuthentication: (typeof clientAuthentications)[number];
  /** Null: read from `{issuer}/.well-known/openid-configuration`. */
  readonly endpoints: ProviderEndpoints | null;
  /** Requested in addition to `openid`. */
  readonly scopes: readonly string[];
  /** The `prompt` parameter; null lets the provider decide. */
  readonly prompt: string | null;
  /** The longest time since the user entered credentials at the provider; null means no limit. */
  readonly maxAgeSeconds: number | null;
  readonly userNameClaim: string;
  /** Null: groups are not read. */
  readonly groupClaim: string | null;
  readonly groups: readonly GroupMapping[];
  /** True creates a user at the first sign-in of an unknown account. */
  readonly createsUsers: boolean;
  /** True links an account to an existing user with the same user name at its first sign-in. */
  readonly linksByUserName: boolean;
  readonly allowsAdministrators: boolean;
  /** True updates names and the e-mail address at each sign-in. */
  readonly syncsUser: boolean;
  /** True updates the mapped teams and roles at each sign-in, not only for new users. */
  readonly syncsGroups: boolean;
}

export interface SignInProvider extends ProviderSettings {
  readonly id: string;
  /** Encrypted; null for a public client. */
  readonly clientSecret: string | null;
  /** Keyed hash of the token with which the provider manages users and groups through SCIM; null without a token. */
  readonly scimTokenHash: string | null;
}

/** Returns undefined if the provider was deleted or never existed. */
export function toSignInProvider(state: RecordState | undefined): SignInProvider | undefined {
  if (state === undefined || state.deleted) return undefined;
  const { values } = state;
  const text = (name: string) => String(values[name] ?? '');
  const flag = (name: string) => values[name] === true;
  return {
    id: state.id,
    name: text('name'),
    isActive: flag('isActive'),
    issuer: text('issuer'),
    clientId: text('clientId'),
    clientSecret: textOrNull(values['clientSecret']),
    scimTokenHash: textOrNull(values['scimTokenHash']),
    clientAuthentication:
      clientAuthentications.find((one) => one === values['clientAuthentication']) ??
      'client_secret_basic',
    endpoints: toEndpoints(values['endpoints']),
    scopes: toTexts(values['scopes']),
    prompt: textOrNull(values['prompt']),
    maxAgeSeconds: typeof values['maxAgeSeconds'] === 'number' ? values['maxAgeSeconds'] : null,
    userNameClaim: text('userNameClaim'),
    groupClaim: textOrNull(values['groupClaim']),
    groups: toGroups(values['groups']),
    createsUsers: flag('createsUsers'),
    linksByUserName: flag('linksByUserName'),
    allowsAdministrators: flag('allowsAdministrators'),
    syncsUser: flag('syncsUser'),
    syncsGroups: flag('syncsGroups'),
  };
}

/** Returns the active providers, oldest first. EspoCRM's clients use the first one. */
export function activeProviders({
  records,
}: {
  readonly records: (entityType: string) => readonly RecordState[];
}): readonly SignInProvider[] {
  return records(signInProviderType)
    .flatMap((state) => toSignInProvider(state) ?? [])
    .filter(({ isActive }) => isActive);
}

export function toProviderValues(settings: ProviderSettings): AttributeValues {
  const { endpoints, groups, ...others } = settings;
  return {
    ...others,
    endpoints: endpoints === null ? null : { ...endpoints },
    groups: groups.map((mapping) => ({ ...mapping })),
  };
}

function toEndpoints(value: AttributeValue | undefined): ProviderEndpoints | null {
  const { authorization, token, jwks, userInfo } = toObject(value);
  if (typeof authorization !== 'string') return null;
  return {
    authorization,
    token: String(token),
    jwks: String(jwks),
    userInfo: textOrNull(userInfo),
  };
}

function toGroups(value: AttributeValue | undefined): readonly GroupMapping[] {
  if (!isList(value)) return [];
  return value.map((mapping) => {
    const { group, teamsIds, rolesIds } = toObject(mapping);
    return {
      group: String(group),
      teamsIds: toTexts(teamsIds),
      rolesIds: toTexts(rolesIds),
    };
  });
}

function textOrNull(value: AttributeValue | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

function toTexts(value: AttributeValue | undefined): readonly string[] {
  return isList(value) ? value.filter((one) => typeof one === 'string') : [];
}

function isList(value: AttributeValue | undefined): value is readonly AttributeValue[] {
  return Array.isArray(value);
}
