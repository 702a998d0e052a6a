import type { Actor } from '../../../shared/domain/access/actor.ts';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import {
  passwordSignInOf,
  settingsId,
  settingsType,
} from '../../../shared/domain/entity/stock/settings.ts';
import { activeProviders } from '../../../shared/domain/login/sign-in-provider.ts';

/**
 * Returns the settings of single sign-on under EspoCRM's names. EspoCRM's clients know one provider, the first active
 * one. Only administrators see more than the method, and no client sees the secret.
 */
export function oidcSettings(actor: Actor | undefined, directory: Directory) {
  const [provider] = activeProviders(directory);
  const passwordSignIn = passwordSignInOf(directory.record(settingsType, settingsId));
  const shown = {
    authenticationMethod: provider === undefined ? 'Espo' : 'Oidc',
    // Administrators can always sign in with a password.
    oidcFallback: true,
  };
  if (actor?.type !== 'admin') return shown;
  const fallback = { ...shown, passwordSignIn };
  if (provider === undefined) return fallback;
  const { endpoints, groups } = provider;
  return {
    ...fallback,
    oidcClientId: provider.clientId,
    oidcAuthorizationEndpoint: endpoints?.authorization ?? null,
    oidcTokenEndpoint: endpoints?.token ?? null,
    oidcJwksEndpoint: endpoints?.jwks ?? null,
    oidcUserInfoEndpoint: endpoints?.userInfo ?? null,
    oidcScopes: provider.scopes,
    oidcGroupClaim: provider.groupClaim,
    oidcCreateUser: provider.createsUsers,
    oidcUsernameClaim: provider.userNameClaim,
    oidcTeamsIds: [...new Set(groups.flatMap(({ teamsIds }) => teamsIds))],
    oidcSync: provider.syncsUser,
    oidcSyncTeams: provider.syncsGroups,
    oidcAllowRegularUserFallback: passwordSignIn === 'everyone',
    oidcAllowAdminUser: provider.allowsAdministrators,
    oidcAuthorizationPrompt: provider.prompt ?? 'consent',
    oidcAuthorizationMaxAge: provider.maxAgeSeconds,
  };
}
