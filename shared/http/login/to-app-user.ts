import type { Actor } from '../../domain/access/actor.ts';
import { effectiveAcl } from '../../domain/access/effective-acl.ts';
import type { Directory } from '../../domain/directory/directory.ts';
import { namesIn } from '../../domain/directory/names-in.ts';
import { mainTypes } from '../../domain/entity/stock/main-types.ts';
import { preferencesType, toPreferences } from '../../domain/preferences/preferences.ts';
import type { RecordState } from '../../domain/record/record-state.ts';
import { toRecordBody } from '../../domain/record/to-record-body.ts';
import { version } from '../../runtime/version.ts';
import type { Identity } from './authenticate.ts';

const language = 'en_US';
const BYTES_PER_MIB = 1024 * 1024;

/** Attributes of the user's own record that only administrators see; `acl` contains the resulting permissions. */
const hidden = ['authMethod', 'rolesIds', 'rolesNames', 'lastAccess'];

interface LoggedIn {
  readonly actor: Actor;
  readonly user: RecordState;
  readonly token: Identity['token'];
}

/** Returns the body of `GET App/user`: the user and their permissions. */
export function toAppUser(
  directory: Directory,
  { actor, user, token }: LoggedIn,
  { maxUploadBytes }: { readonly maxUploadBytes: number },
) {
  return {
    user: toUserBody(directory, { actor, user, token }),
    acl: effectiveAcl(actor, directory),
    preferences: toPreferences(user, directory.record(preferencesType, user.id)),
    token,
    settings: { applicationName: 'Annals', version, language, tabList: mainTypes },
    language,
    appParams: {
      maxUploadSize: maxUploadBytes / BYTES_PER_MIB,
      timeZoneList: ['UTC'],
      auth2FARequired: false,
    },
  };
}

function toUserBody(directory: Directory, { actor, user }: LoggedIn) {
  const model = directory.entity('User');
  if (model === undefined) throw new Error('the directory has no entity type User');
  const body = toRecordBody(model, user, namesIn(directory));
  for (const attribute of hidden) delete body[attribute];
  const { name, type } = actor;
  return { ...body, name, type, isAdmin: type === 'admin' };
}
