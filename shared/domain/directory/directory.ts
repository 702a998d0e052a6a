import { type Actor, buildActor } from '../access/actor.ts';
import { boardOrderType } from '../board/board-order.ts';
import type { EntityDefinition } from '../entity/definition/entity-definition.ts';
import { buildModels } from '../entity/model/build-models.ts';
import type { EntityModel } from '../entity/model/entity-model.ts';
import { leadCaptureType } from '../entity/stock/lead-capture.ts';
import { personNameFormatIn, settingsId, settingsType } from '../entity/stock/settings.ts';
import { acknowledgementsType } from '../finding/acknowledgements.ts';
import { type AuthToken, authTokenType, loginUserType } from '../login/auth-token.ts';
import { createAuthTokenIndex } from '../login/auth-token-index.ts';
import { externalIdentityType } from '../login/external-identity.ts';
import { createOwnAddressChanges, type OwnAddressChanges } from '../login/own-address-changes.ts';
import { provisionedGroupType, provisionedUserType } from '../login/provisioning.ts';
import { createEmailIndex, type Emails } from '../mail/email-index.ts';
import { emailType } from '../mail/queued-email.ts';
import { notificationMarksType } from '../notifications/notification-marks.ts';
import { preferencesType } from '../preferences/preferences.ts';
import { evolve } from '../record/evolve.ts';
import type { RecordEvent } from '../record/record-event.ts';
import type { RecordState } from '../record/record-state.ts';
import { formatDateTime } from '../value/date-time.ts';
import { firedBy, toWebhook, type Webhook } from '../webhook/record/webhook.ts';
import { isActiveUser } from './is-active-user.ts';
import { mergeDefinitions } from './merge-definitions.ts';

/**
 * The state that every read and write of a record depends on: users, roles, teams, entity definitions, webhooks and
 * settings, folded from the directory log into memory. It is the same in every process.
 */
export interface Directory {
  apply(event: RecordEvent): void;
  /**
   * Increases with each event except log-ins, e-mails and users' settings. Values derived from the directory can be cached per
   * revision.
   */
  revision(): number;
  /**
   * Unix time in seconds of the latest change to a definition, layout or setting; 0 if there has been no change.
   * Identical in all processes.
   */
  definedAtSeconds(): number;
  record(entityType: string, id: string): RecordState | undefined;
  records(entityType: string): readonly RecordState[];
  entity(name: string): EntityModel | undefined;
  entities(): readonly EntityModel[];
  userByName(userName: string): RecordState | undefined;
  userByApiKeyHash(hash: string): RecordState | undefined;
  leadCaptureByKeyHash(hash: string): RecordState | undefined;
  authTokenByHash(tokenHash: string): AuthToken | undefined;
  /** All log-ins. */
  authTokens(): Iterable<AuthToken>;
  /** Oldest first. */
  authTokensOf(userId: string): readonly AuthToken[];
  readonly emails: Emails;
  readonly ownAddressChanges: OwnAddressChanges;
  /** When the user was last active, according to recorded log-ins; null if the user never logged in. */
  lastAccessOf(userId: string): string | null;
  actor(user: RecordState): Actor;
  /** Returns the existing webhooks for a canonical event name, oldest first. Includes inactive webhooks. */
  webhooksFor(event: string): readonly Webhook[];
}

/** The entity type of the records that define other entity types. */
export const entityDefinitionType = 'EntityDefinition';

export function createDirectory(stock: readonly EntityDefinition[]): Directory {
  const records = new Map<string, Map<string, RecordState>>();
  const isInactive = (id: string) => !isActiveOrUnknown(records.get(loginUserType)?.get(id));
  const { authTokens, indexes, applyToUser, ...exposed } = createIndexes(isInactive);
  let revision = 0;
  let definedAtMs = 0;
  let derived: Derived = { actors: new Map() };
  /** Built lazily: during startup, many definitions are folded before the first model is needed. */
  let models: ReadonlyMap<string, EntityModel> | undefined;

  const all = (entityType: string) => [...(records.get(entityType)?.values() ?? [])];
  const liveOnes = (entityType: string) => all(entityType).filter(({ deleted }) => !deleted);
  const nameFormat = () => personNameFormatIn(records.get(settingsType)?.get(settingsId));

  function knownModels(): ReadonlyMap<string, EntityModel> {
    models ??= buildModels(mergeDefinitions(stock, all(entityDefinitionType), nameFormat()));
    return models;
  }

  function actor(user: RecordState): Actor {
    const known = derived.actors.get(user.id);
    if (known !== undefined) return known;
    const built = toActor(user, (entityType, id) => records.get(entityType)?.get(id));
    derived.actors.set(user.id, built);
    return built;
  }

  return {
    apply(event) {
      const index = indexes.get(event.entityType);
      if (index !== undefined) return index.apply(event);
      const ofType = records.get(event.entityType) ?? new Map<string, RecordState>();
      records.set(event.entityType, ofType);
      const state = toKept(evolve(ofType.get(event.recordId), event), event.entityType);
      ofType.set(event.recordId, state);
      if (underived.has(event.entityType)) return;
      if (event.entityType === loginUserType) applyToUser(event, state);
      if (event.entityType === entityDefinitionType || event.entityType === settingsType) {
        models = undefined;
        // Two changes within the same second must get different timestamps.
        definedAtMs = Math.max(event.occurredAt, definedAtMs + 1000);
      }
      revision += 1;
      derived = { actors: new Map() };
    },
    revision: () => revision,
    definedAtSeconds: () => Math.floor(definedAtMs / 1000),
    record: (entityType, id) =>
      indexes.get(entityType)?.record(id) ?? records.get(entityType)?.get(id),
    records: liveOnes,
    entity: (name) => knownModels().get(name),
    entities: () => [...knownModels().values()],
    userByName(userName) {
      derived.usersByName ??= indexBy(liveOnes('User'), 'userName');
      return derived.usersByName.get(userName);
    },
    userByApiKeyHash(hash) {
      derived.usersByApiKeyHash ??= indexBy(liveOnes('User'), 'apiKeyHash');
      return derived.usersByApiKeyHash.get(hash);
    },
    leadCaptureByKeyHash(hash) {
      derived.capturesByKeyHash ??= indexBy(liveOnes(leadCaptureType), 'apiKeyHash');
      return derived.capturesByKeyHash.get(hash);
    },
    authTokenByHash: authTokens.byHash,
    authTokens: authTokens.all,
    authTokensOf: authTokens.ofUser,
    ...exposed,
    lastAccessOf: (userId) => formatOrNull(authTokens.lastUseOf(userId)),
    actor,
    webhooksFor(event) {
      derived.webhooks ??= Map.groupBy(liveOnes('Webhook').map(toWebhook), firedBy);
      return derived.webhooks.get(event) ?? [];
    },
  };
}

/** Keeps the records of one entity type. */
interface Index {
  apply(event: RecordEvent): void;
  record(id: string): RecordState | undefined;
}

/** Creates the indexes of types with many short-lived records, and of changes to users. */
function createIndexes(isInactive: (userId: string) => boolean) {
  const authTokens = createAuthTokenIndex(isInactive);
  const emails = createEmailIndex();
  const indexes = new Map<string, Index>([
    [authTokenType, authTokens],
    [emailType, emails],
  ]);
  const ownAddressChanges = createOwnAddressChanges();

  function applyToUser(event: RecordEvent, state: RecordState): void {
    ownAddressChanges.apply(event);
    if (!isActiveUser(state)) authTokens.endAllOf(state.id);
  }

  return { authTokens, indexes, applyToUser, emails, ownAddressChanges };
}

/** Entity types from which nothing cached is derived. */
const underived: ReadonlySet<string> = new Set([
  acknowledgementsType,
  boardOrderType,
  externalIdentityType,
  notificationMarksType,
  preferencesType,
  provisionedGroupType,
  provisionedUserType,
]);

/** Types whose attributes are named freely. */
const typesWithAnyNames: ReadonlySet<string> = new Set([acknowledgementsType, preferencesType]);

/** Drops attributes without a value if their names are not limited by a definition. */
function toKept(state: RecordState, entityType: string): RecordState {
  if (!typesWithAnyNames.has(entityType)) return state;
  const values = Object.entries(state.values).filter(([, value]) => value !== null);
  return { ...state, values: Object.fromEntries(values) };
}

function isActiveOrUnknown(user: RecordState | undefined): boolean {
  return user === undefined || isActiveUser(user);
}

function formatOrNull(timeMs: number | undefined): string | null {
  return timeMs === undefined ? null : formatDateTime(timeMs);
}

interface Derived {
  readonly actors: Map<string, Actor>;
  usersByName?: ReadonlyMap<string, RecordState>;
  usersByApiKeyHash?: ReadonlyMap<string, RecordState>;
  capturesByKeyHash?: ReadonlyMap<string, RecordState>;
  webhooks?: ReadonlyMap<string, readonly Webhook[]>;
}

function indexBy(
  states: readonly RecordState[],
  attribute: string,
): ReadonlyMap<string, RecordState> {
  return new Map(
    states.flatMap((state) => {
      const key = state.values[attribute];
      return typeof key === 'string' ? [[key, state] as const] : [];
    }),
  );
}

/** Builds the actor with the roles of the user and of the user's teams. */
function toActor(
  user: RecordState,
  find: (entityType: string, id: string) => RecordState | undefined,
): Actor {
  const { userName, name, type, rolesIds, teamsIds, defaultTeamId } = user.values;
  const live = (entityType: string, ids: unknown) =>
    (Array.isArray(ids) ? ids : [])
      .flatMap((id) => find(entityType, String(id)) ?? [])
      .filter(({ deleted }) => !deleted);
  const teams = live('Team', teamsIds);
  const defaultTeam = teams.find(({ id }) => id === defaultTeamId);
  const ofTeams = teams.flatMap(({ values }) => live('Role', values['rolesIds']));
  return buildActor(
    {
      id: user.id,
      userName: String(userName),
      name: String(name ?? userName),
      type: type === 'admin' || type === 'api' ? type : 'regular',
      teamIds: teams.map(({ id }) => id),
      ...(defaultTeam === undefined ? {} : { defaultTeamId: defaultTeam.id }),
    },
    [...new Set([...live('Role', rolesIds), ...ofTeams])],
  );
}

/** The entity type of installation settings in the directory log. */
export const settingType = 'Setting';
