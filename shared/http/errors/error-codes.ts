/** Every error code by its HTTP status, and when it happens: docs/reference/errors.md, which a test compares. */
export const errorCodes = {
  400: {
    'body.content_encoding': 'the body is compressed',
    'body.content_length': 'the body is not as long as announced',
    'body.content_type': 'there is a body, and its type is not `application/json`',
    'body.malformed': 'the body is not JSON; the message names the position',
    'body.not_an_object': 'the body is JSON, but no object',
    'body.number_digits':
      'a number has more digits than a JSON number keeps; the message names it, send it as a text',
    'body.too_deep': 'the body is nested too deeply',
    'body.value_missing': 'the body lacks a value that this path needs; the message names it',
    'calendar.too_many': 'more than 1000 activities between two times; ask for a shorter time',
    'consistency_token.invalid': 'the `X-Consistency-Token` is none that a write answered',
    'credentials.malformed': 'an `Espo-Authorization` header without a colon',
    'export.invalid':
      'an export lacks a part, has records both by ids and by a search, has no column left, or is no CSV',
    'export.too_large': 'the file would be larger than `API_EXPORT_MAX_BYTES`',
    'export.too_many': 'more records than `API_EXPORT_LIMIT`',
    'field.invalid': 'a custom field, entity type or link is not described as one',
    'file.invalid':
      'an upload has no data URL in base64, or is for no field that holds files; the message says which',
    'file.type': 'the field does not take files of this type',
    'filter.unknown': 'the entity type has no filter of this name',
    'idempotency_key.invalid': '`Idempotency-Key` is empty, too long, or not visible ASCII',
    'if_match.invalid': '`If-Match` is neither `*` nor a list of ETags',
    'layout.invalid':
      'a layout is not a JSON array or object, is over 64 KiB or 16 levels, or is for a layout set',
    'lead.empty':
      'a web form has no value for any field of its capture; `X-Status-Reason` is `empty`',
    'lead.id': 'a conversion names no lead',
    'lead.records':
      'a conversion asks for something else than an account, a contact and an opportunity',
    'link.ids': 'the ids to be linked are not a list of ids',
    'list.too_slow':
      'a search took longer than `API_SEARCH_TIMEOUT`: narrow it down; where others keep the database busy, `Retry-After` says when to try again',
    'mass_action.body': 'a mass action lacks a part, or has records both by ids and by a search',
    'mass_action.data': 'the data of an action is not what it needs',
    'mass_action.too_many': 'more records than `API_MASS_ACTION_LIMIT`',
    'merge.body': 'a merge names no target or no sources, or the target as its own source',
    'note.no_stream': 'only posts on a record can be pinned',
    'note.reaction': 'there is no such reaction to a post',
    'order.unknown_attribute': '`orderBy` names nothing that can be ordered by',
    'parameter.invalid': 'a query parameter has no valid value; the message names it',
    'parameter.unsupported':
      'this version does not know this way of filtering, or lists cannot do it (`asOf`)',
    'path.malformed': 'the path is not valid percent-encoding',
    'record.invalid': 'fields fail validation; `errors` names all of them',
    'request.invalid': 'the request is not valid HTTP for this path',
    'request.malformed': 'the bytes are not HTTP',
    'role.invalid':
      'the role names a scope, action, level or field that does not exist, or lets somebody change what they may not read',
    'session.password_missing':
      'a session begins with a password in `Espo-Authorization`, nothing else',
    'token.missing': 'a token has to be given',
    'version_number.invalid': '`X-Version-Number` is no whole number',
    'webhook.redelivery_invalid':
      'not exactly one of `batchId`, `since`, `deadLetters: true`; or `after` is no `next` of an answer, or beside `batchId`',
    'webhook.replay_invalid': '`from` is not before `to`, or `dryRun` is no boolean',
    'where.invalid':
      'a condition of a list is not written as one, or its value does not fit its attribute',
    'where.unknown_attribute':
      'a condition names an attribute that does not exist, or that the role does not show',
  },
  401: {
    'code.invalid': 'a wrong code of the second factor, or one that was used before',
    'code.missing':
      'the password is right and a code is wanted: reason `second-step-required`, the body is `{"status": "secondStepRequired", "message": "enterTotpCode", …}`',
    'credentials.invalid': 'wrong key, signature or password, or not the right kind of user for it',
    'credentials.missing': 'no credentials',
    'user.inactive': 'the user is deactivated',
  },
  403: {
    'access.admin_only': 'only administrators may do this',
    'access.denied': 'the roles of the user do not allow this action, or not on this record',
    'assignment.denied': 'the role does not allow to give the record to this user or team',
    'code.limited': 'more than ten wrong codes for this user within five minutes',
    'code.wrong': 'the secret and the code for a new second factor do not fit',
    'export.denied': 'the role has no `exportPermission`',
    'export.not_allowed': 'records of this type cannot be exported',
    'file.misplaced': 'a file was uploaded for another field than the one that shall hold it',
    'follower.denied': 'the role does not allow to say for this user whom they follow',
    'follower.no_access': 'who shall follow may not see the stream of the record',
    'link.already_linked':
      'the other record is linked with another one, and this link does not take it away',
    'link.forbidden': 'a link names a record that the user may not read',
    'link.mass': 'this link cannot be made for all records of a search',
    'link.no_access': 'the other record may not be edited',
    'link.non_existing': 'a link names a record that does not exist',
    'link.required': 'the other record needs this link',
    'link.several': 'a new record is linked with one record of this link at most',
    'link.to_one': 'a link to one record is set through its field, not linked',
    'list.too_large': '`maxSize` is over 200',
    'login.limited': 'more than ten failed logins from this address within a minute',
    'mass_action.denied': 'the role has no `massUpdatePermission`',
    'mass_action.not_allowed': 'the entity type does not have this action',
    'merge.not_allowed': 'records of this type cannot be merged',
    'note.denied':
      'the roles do not let the user address these users or teams (`messagePermission`)',
    'note.too_many_pins': 'five posts are pinned in this stream',
    'note.type': 'only posts can be written; all else in a stream follows from events',
    'password.weak':
      'the new password has fewer than 8 characters, more than 255, or hardly different ones',
    'password.wrong': 'the password that had to be given again is wrong',
    'session.origin': 'a page of another origin asks to begin or end a session, or no page at all',
    'star.too_many': 'the user has starred 500 records',
    'user.not_administrator': 'only an administrator may act as, or change, another user',
    'user.not_api': 'only API users have an API key',
    'user.own': 'nobody deletes the user they are',
    'user.type': 'this type of user cannot be given',
    'webhook.entity_forbidden': 'a webhook on an entity type that the user may not read',
    'webhook.event_fixed': 'the event of a webhook cannot be changed',
    'webhook.field_forbidden': 'the role does not show the field that the webhook would watch',
    'webhook.forbidden': 'the user may not manage webhooks',
    'webhook.run_forbidden': 'only an administrator may run the webhook queue',
    'webhook.too_many': 'the user has as many active webhooks as are allowed',
    'webhook.user_not_api': 'a webhook can be bound to an API user only',
  },
  404: {
    'activities.none': 'records of this type have no activities, or none of the type asked for',
    'action.unknown': 'there is no such action of this entity type',
    'entity.unknown': 'there is no such entity type',
    'entry.not_found': 'no entry of the log at this place was rejected',
    'field.unknown': 'the entity type has no such field',
    'layout.unknown': 'there is no layout of this name',
    'lead.capture_unknown': 'no active lead capture has this key',
    'link.unknown': 'the entity type has no link of this name',
    'path.too_long': 'a part of the path is longer than any name',
    'record.not_found':
      'the record does not exist or is deleted, or did not exist at the time of `asOf`',
    'stream.none': 'the entity type has no stream',
    'webhook.delivery_not_found': 'the webhook has no such delivery, or Postgres keeps it no more',
    'webhook.replay_not_found': 'the webhook has no such replay',
    'route.not_found': 'there is no such path',
  },
  405: {
    'route.method_not_allowed': 'the path exists with other methods, see `Allow`',
  },
  408: {
    'request.too_slow':
      'the request took over a minute to arrive, or a large upload came at less than 16 KiB a second',
  },
  409: {
    'code.used': 'this code was used before',
    'credentials.changed': 'somebody changed the same credentials at the same time',
    'entry.changed': 'a quarantined record got another event while its entries were discarded',
    'entry.not_quarantined': 'the rejected entry quarantines no record',
    'entity.full':
      'the table of the entity type has no room for another column; use another entity type and a link',
    'entity.name': 'the name of a new entity type is taken or reserved',
    'field.exists': 'the entity type has a field or link of this name',
    'field.name_reserved': 'Annals uses this name itself',
    'mass_action.ended':
      'a mass action that shall be cancelled has ended before; the message says how',
    'merge.under_way': 'another merge into the same record was decided at the same time',
    'record.duplicate':
      'there is a record of the same name or e-mail address: the body has up to five of them; `X-Skip-Duplicate-Check: true` creates it all the same',
    'record.exists': 'a record with this id exists already',
    'record.not_deleted': 'the record that shall come back is not deleted',
    'record.quarantined':
      'the tables refuse a change of the record, so that nothing is read or decided on it; an administrator can retry or discard the change',
    'record.modified':
      '`X-Version-Number` is not the record\'s, and the change would overwrite something; the body is `{"values", "versionNumber"}`, `{}` and null for who may not read the record',
    'second_factor.exists': 'the user has a second factor already',
    'user.name_exists': 'another user has this user name',
  },
  412: {
    'record.version_differs': 'the record has none of the versions in `If-Match`',
  },
  413: {
    'body.too_large':
      'the body is over 1 MiB; that of an upload, over what `API_UPLOAD_LIMIT` takes',
    'change.too_large': 'old and new values together are over 4 MiB',
    'file.quota': 'files of the user that no record holds reach `API_UPLOAD_UNATTACHED_LIMIT`',
    'file.too_large': 'the file is over `API_UPLOAD_LIMIT`, or over what its field takes',
    'webhook.account_too_large':
      'the webhook has over 200,000 events: `annals verify --webhooks` balances them',
  },
  417: {
    'request.expectation': 'the header `Expect` asks for something else than `100-continue`',
  },
  422: {
    'idempotency_key.reused': 'the key was used before, for another request',
  },
  429: {
    'rate.limited': 'more requests per second than the operator allows; see `Retry-After`',
    'stream.limited': 'as many live streams are open as an api takes; see `Retry-After`',
  },
  431: {
    'request.headers_too_large': 'the headers, the path and the query are over 16 kB',
  },
  500: {
    'change.unstorable':
      'the change is in the log, but the tables refuse it: a defect of Annals; the record is quarantined',
    'internal.error': 'a defect of Annals; the log has it under the `requestId` of the body',
  },
  503: {
    'file.busy':
      'all places for large uploads are taken, or all that the user may have; see `Retry-After`',
    'search.busy':
      'over 1,000 searches of the user wait (5,000 in all), or a search got no turn within 30 seconds; see `Retry-After`',
    'service.unavailable':
      'Kafka or Postgres is away, or a write could not be read back in time; see `Retry-After`',
  },
  507: {
    'storage.low':
      'a disk of Kafka or Postgres is nearly full: nothing was changed, and nothing is until it has room again; see `Retry-After`',
  },
} as const;

type Statuses = typeof errorCodes;
type ErrorStatus = keyof Statuses;
export type ErrorCode = { [Status in ErrorStatus]: keyof Statuses[Status] }[ErrorStatus];
