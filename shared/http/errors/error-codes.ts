/**
 * Every error code by its HTTP status, with the reason for returning it. A test compares this list with
 * docs/reference/errors.md.
 */
export const errorCodes = {
  400: {
    'body.content_encoding': 'the body is compressed',
    'body.content_length': 'the length of the body differs from `Content-Length`',
    'body.content_type': 'the request has a body whose type is not `application/json`',
    'body.malformed': 'the body is not JSON; the message names the position',
    'body.not_an_object': 'the body is JSON, but not an object',
    'body.number_digits':
      'a number has more digits than a JSON number can hold; the message names it, send it as a string',
    'body.too_deep': 'the body is nested too deeply',
    'body.value_missing': 'the body lacks a value that this path needs; the message names it',
    'calendar.too_many': 'more than 1000 activities in the requested period; request a shorter one',
    'consistency_token.invalid': 'the `X-Consistency-Token` was not issued by a write',
    'credentials.malformed': 'an `Espo-Authorization` header without a colon',
    'export.invalid':
      'an export lacks a required property, selects records both by ids and by a search, has no column left, or has an unknown format or time zone',
    'export.too_large': 'the file would be larger than `API_EXPORT_MAX_BYTES`',
    'export.too_many': 'more records than `API_EXPORT_LIMIT`',
    'field.invalid': 'the description of a custom field, entity type or link is invalid',
    'file.infected': 'the virus scanner (`API_UPLOAD_SCAN_COMMAND`) rejects the file',
    'file.invalid':
      'an upload has no file in base64 or in multipart/form-data, or its field does not hold files; the message says which',
    'file.type': 'the field does not accept files of this type',
    'filter.unknown': 'the entity type has no filter of this name',
    'idempotency_key.invalid':
      '`Idempotency-Key` is empty, too long, not visible ASCII, or has the form of an internal key (`mass-<id>-…`, `merge-<id>-…`, `import-<id>-…`)',
    'if_match.invalid': '`If-Match` is neither `*` nor a list of ETags',
    'import.body':
      'an import lacks a required property or has an invalid one; the message names it',
    'import.file':
      'a file to import is empty, too long, or not CSV in the given format; the message says which',
    'import.text': 'a row contains a NUL character; only in rejected rows of an import',
    'import.too_many_rejected':
      'an import stopped because 10,000 rows were rejected; only as its `reason`',
    'kanban.no_status': 'the entity type has no status or stage with options, so it has no board',
    'layout.invalid':
      'a layout is not a JSON array or object, exceeds 64 KiB or 16 levels, or belongs to a layout set',
    'lead.empty':
      'a web form has no value for any field of its lead capture; `X-Status-Reason` is `empty`',
    'lead.id': 'a conversion does not name a lead',
    'lead.records':
      'a conversion requests records other than an account, a contact and an opportunity',
    'link.ids': 'the ids to link are not a list of ids',
    'list.too_slow':
      'a search took longer than `API_SEARCH_TIMEOUT`: narrow it down; if other searches keep the database busy, `Retry-After` says when to retry',
    'logout_token.invalid': 'a back-channel logout has no valid logout token of an active provider',
    'mass_action.body':
      'a mass action lacks a required property, or selects records both by ids and by a search',
    'link.too_many':
      'more than 1,000 records have been linked, or their history is over 16 MiB, so that they cannot be listed as of a time',
    'mass_action.data': 'the data of an action is invalid',
    'mass_action.too_many': 'more records than `API_MASS_ACTION_LIMIT`',
    'merge.body': 'a merge lacks its target or sources, or names the target as a source',
    'note.no_stream': 'only posts on a record can be pinned',
    'note.reaction': 'the reaction to a post does not exist',
    'order.unknown_attribute': '`orderBy` does not name a sortable attribute',
    'parameter.invalid': 'a query parameter has an invalid value; the message names it',
    'parameter.unsupported': 'the parameter is not supported, or not in lists (`asOf`)',
    'path.malformed': 'the path is not validly percent-encoded',
    'record.invalid': 'fields fail validation; `errors` lists all of them',
    'request.invalid': 'the request is not valid HTTP for this path',
    'request.malformed': 'the bytes are not HTTP',
    'role.invalid':
      'the role names a scope, action, level or field that does not exist, or allows editing without reading',
    'session.password_missing': 'a session needs a password in `Espo-Authorization`',
    'sign_in.expired':
      'a sign-in through a provider took more than ten minutes, or was started in another browser; start it again',
    'token.missing': 'the token is missing',
    'version_number.invalid': '`X-Version-Number` is not an integer',
    'webhook.redelivery_invalid':
      'not exactly one of `batchId`, `since` and `deadLetters: true`; or `after` is not the `next` of a response, or is combined with `batchId`',
    'webhook.replay_invalid': '`from` is not before `to`, or `dryRun` is not a boolean',
    'where.invalid': 'a condition of a list is malformed, or its value does not fit its attribute',
    'where.unknown_attribute':
      'a condition names an attribute that does not exist or that the user may not read',
  },
  401: {
    'code.invalid': 'the second-factor code is wrong or was used before',
    'code.missing':
      'the password is correct and a second-factor code is required: reason `second-step-required`, the body is `{"status": "secondStepRequired", "message": "enterTotpCode", …}`',
    'credentials.invalid':
      'the key, signature or password is wrong, or the type of user cannot use it',
    'credentials.missing': 'no credentials',
    'sign_in.password_off': 'only administrators may sign in with a password; use a provider',
    'user.inactive': 'the user is deactivated',
  },
  403: {
    'access.admin_only': 'only administrators may do this',
    'access.denied':
      'the roles of the user do not allow this action, or do not allow it on this record',
    'assignment.denied': 'the role does not allow assigning the record to this user or team',
    'code.limited': 'more than ten wrong codes for this user within five minutes',
    'code.wrong': 'the code does not match the secret of the new second factor',
    'export.denied': 'the role has no `exportPermission`',
    'export.not_allowed': 'records of this type cannot be exported',
    'file.misplaced': 'the file was uploaded for a different field',
    'follower.denied': 'the role does not allow changing what this user follows',
    'follower.no_access': 'the future follower may not see the stream of the record',
    'kanban.unknown_group': 'the board of the entity type has no group of this name',
    'link.already_linked':
      'the other record is already linked with another one, and this link does not replace that',
    'link.forbidden': 'a link names a record that the user may not read',
    'link.mass': 'this link cannot be set for all records of a search',
    'link.no_access': 'the other record may not be edited',
    'link.non_existing': 'a link names a record that does not exist',
    'link.required': 'the other record needs this link',
    'link.several': 'a new record can have at most one record in this link',
    'link.to_one': 'a link to one record is set through its field, not linked',
    'list.too_large': '`maxSize` is over 200',
    'login.limited': 'more than ten failed logins from this address within a minute',
    'mail.already_sent':
      'the user has a valid link for a new password, or was notified already; `X-Status-Reason` is `Already-Sent`',
    'mail.no_address': 'the user has no e-mail address',
    'mail.off':
      'the installation sends no e-mail: `SMTP_URL`, `MAIL_FROM` and `PUBLIC_URL` are not set',
    'mass_action.denied': 'the role has no `massUpdatePermission`',
    'mass_action.not_allowed': 'the entity type does not have this action',
    'merge.not_allowed': 'records of this type cannot be merged',
    'note.denied':
      'the roles do not let the user address these users or teams (`messagePermission`)',
    'note.too_many_pins': 'five posts are already pinned in this stream',
    'note.type': 'only posts can be written; all other notes in a stream derive from events',
    'password.no_recovery':
      'the user is inactive, of a type without a password, or changed the e-mail address within the last 24 hours',
    'password.url': 'the `url` of a request for a new password is not below `PUBLIC_URL`',
    'password.weak':
      'the new password has fewer than 8 or more than 255 characters, or too few different ones',
    'password.wrong': 'the password that confirms the request is wrong',
    'session.origin':
      'the request to begin or end a session does not come from a page of this origin',
    'sign_in.claims':
      'the claims of the provider do not describe a user; the message names the claim',
    'sign_in.name_taken': 'the user name of the account belongs to a user who is not linked to it',
    'sign_in.no_user': 'no user is linked to the account, and the provider does not create users',
    'sign_in.off': 'no OpenID Connect provider is active',
    'sign_in.rejected':
      'the provider rejected the sign-in, or its response is invalid; the message says why',
    'sign_in.user_type': 'this type of user cannot sign in through the provider',
    'star.too_many': 'the user has starred 500 records',
    'undo.expired': 'the change is older than 30 days; an administrator can undo it',
    'undo.not_allowed': 'changes of this entity type cannot be undone',
    'user.not_administrator': 'only an administrator may act as or change another user',
    'user.not_api': 'only API users have an API key',
    'user.own': 'you cannot delete your own user',
    'user.type': 'this type cannot be assigned to a user',
    'webhook.entity_forbidden': 'the user may not read the entity type of the webhook',
    'webhook.event_fixed': 'the event of a webhook cannot be changed',
    'webhook.field_forbidden': 'the role does not allow reading the field that the webhook watches',
    'webhook.forbidden': 'the user may not manage webhooks',
    'webhook.run_forbidden': 'only an administrator may run the webhook queue',
    'webhook.too_many': 'the user has reached the maximum number of active webhooks',
    'webhook.user_not_api': 'a webhook can only be bound to an API user',
  },
  404: {
    'activities.none': 'records of this type have no activities, or none of the requested type',
    'action.unknown': 'the entity type has no such action',
    'entity.unknown': 'the entity type does not exist',
    'entry.not_found': 'the entry at this position of the log was not rejected',
    'field.unknown': 'the entity type has no such field',
    'finding.not_found': 'no current warning of doctor has this id, or it is not acknowledged',
    'import.no_link':
      'no record has the name in a column for a link; only in rejected rows of an import',
    'import.no_match':
      'an import that only updates has no record for a row; only in rejected rows of an import',
    'import.not_found': 'the import does not exist, or belongs to another user',
    'layout.unknown': 'no layout has this name',
    'lead.capture_unknown': 'no active lead capture has this key',
    'link.unknown': 'the entity type has no link of this name',
    'password.request_unknown':
      'the link for a new password is invalid, has expired, or was used before',
    'path.too_long': 'a segment of the path is longer than any name',
    'record.deleted':
      'the record is deleted; without read access to it, the code is `record.not_found`',
    'record.merged': 'the record was merged into another one, whose id is `mergedInto` in the body',
    'record.not_found':
      'the record does not exist or is deleted, or did not exist at the time of `asOf`',
    'sign_in.no_provider': 'the provider does not exist or is off',
    'stream.none': 'the entity type has no stream',
    'trace.not_found': 'no request, record, batch or webhook has this id',
    'undo.not_found': 'the change to undo does not exist, or another user made it',
    'user.not_found': 'no user has this user name and e-mail address',
    'webhook.delivery_not_found':
      'the webhook has no such delivery, or its retention period has ended',
    'webhook.no_past_event':
      'no past event of the webhook was found that its user may read, within two seconds',
    'webhook.replay_not_found': 'the webhook has no such replay',
    'route.not_found': 'the path does not exist',
  },
  405: {
    'route.method_not_allowed': 'the path does not support this method; see `Allow`',
  },
  408: {
    'request.too_slow':
      'the request took over a minute to arrive, or a large upload was slower than 16 KiB/s',
  },
  409: {
    'code.used': 'this code was used before',
    'credentials.changed': 'another request changed the same credentials at the same time',
    'entry.changed':
      'a quarantined record received another event while its entries were being discarded',
    'entry.not_quarantined': 'the rejected entry does not quarantine a record',
    'entity.full':
      'the table of the entity type has no room for another column; use another entity type and a link',
    'entity.name': 'the name of a new entity type is taken or reserved',
    'field.exists': 'the entity type has a field or link of this name',
    'field.name_reserved': 'Annals uses this name itself',
    'mass_action.ended':
      'the mass action ended before it could be cancelled; the message has its outcome',
    'merge.under_way': 'another merge into the same record was decided at the same time',
    'record.duplicate':
      'records with the same name or e-mail address exist: the body lists up to five; `X-Skip-Duplicate-Check: true` creates the record anyway',
    'record.exists': 'a record with this id already exists',
    'record.not_deleted': 'the record to restore is not deleted',
    'record.quarantined':
      'the tables rejected a change of the record, so it can be neither read nor changed; an administrator can retry or discard the change',
    'record.modified':
      '`X-Version-Number` is outdated, and the change would overwrite newer values; the body is `{"values", "versionNumber"}`, with `{}` and null if the user may not read the record',
    'second_factor.exists': 'the user already has a second factor',
    'second_factor.missing': 'recovery codes need a second factor, which the user does not have',
    'sign_in.account_linked': 'the account is linked to another user',
    'sign_in.too_many': 'the installation has 20 providers',
    'undo.changed_since': 'a later change would be lost; only in `skipped` of an undo',
    'undo.done':
      'the record already has the state from before the change; only in `skipped` of an undo',
    'undo.nothing': 'the change left nothing that can be undone',
    'undo.partly':
      'fields that have changed since, or would link to a deleted record, were kept, the others were restored; only in `skipped` of an undo',
    'undo.running': 'the mass action to undo is still running',
    'user.name_exists': 'another user has this user name',
  },
  412: {
    'record.version_differs': 'the record has none of the versions in `If-Match`',
  },
  413: {
    'body.too_large': 'the body is over 1 MiB, or an upload exceeds `API_UPLOAD_LIMIT`',
    'change.too_large': 'old and new values together are over 4 MiB',
    'file.quota':
      'the files of the user that are not attached to a record reach `API_UPLOAD_UNATTACHED_LIMIT`',
    'file.too_large': 'the file exceeds `API_UPLOAD_LIMIT` or the limit of its field',
    'preferences.too_large': 'all preferences of the user together are over 64 KiB',
    'webhook.account_too_large':
      'the webhook has over 200,000 events; `annals verify --webhooks` verifies its ledger',
  },
  417: {
    'request.expectation': 'the header `Expect` has a value other than `100-continue`',
  },
  422: {
    'idempotency_key.reused': 'the key was already used for a different request',
  },
  429: {
    'mail.limited':
      'too many e-mails were sent to this address or in total, or are waiting; see `Retry-After`',
    'rate.limited': 'more requests per second than the operator allows; see `Retry-After`',
    'stream.limited': 'the maximum number of live streams of an api is open; see `Retry-After`',
  },
  431: {
    'request.headers_too_large': 'the headers, the path and the query are over 16 kB',
  },
  500: {
    'change.unstorable':
      'the change is in the log, but the tables rejected it, which is a bug in Annals; the record is quarantined',
    'internal.error': 'a bug in Annals; the log has it under the `requestId` in the body',
  },
  503: {
    'file.busy':
      'all slots for large uploads, or all slots of the user, are in use; see `Retry-After`',
    'search.busy':
      'over 1,000 searches of the user (5,000 in total) are waiting, or a search waited for 30 seconds; see `Retry-After`',
    'service.unavailable':
      'Kafka or Postgres is unavailable, or an action did not become readable in time; see `Retry-After`',
    'sign_in.unreachable':
      'the provider does not respond, or not as expected; the message says why',
    'write.unread':
      'the change is in the log, but reads did not see it in time; `recordId` names the record, and reads with the `X-Consistency-Token` of the response wait for it',
  },
  507: {
    'storage.low':
      'a disk of Kafka or Postgres is nearly full, or the file store is full: nothing was changed, and writes or uploads are rejected until there is free space; see `Retry-After`',
  },
} as const;

type Statuses = typeof errorCodes;
type ErrorStatus = keyof Statuses;
export type ErrorCode = { [Status in ErrorStatus]: keyof Statuses[Status] }[ErrorStatus];
