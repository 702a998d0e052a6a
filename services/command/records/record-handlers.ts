import type { Append } from '../forwarding/append.ts';
import type { CreateRequest, Executed, ExistingWriteRequest } from '../forwarding/write-request.ts';
import type { LinkChange } from './links/change-links.ts';

/** Decides on records of this instance's partitions; NotOwner for those of others. */
export interface RecordHandlers {
  create(request: CreateRequest): Promise<Executed>;
  update(request: ExistingWriteRequest): Promise<Executed>;
  remove(request: ExistingWriteRequest): Promise<Executed>;
  restore(request: ExistingWriteRequest): Promise<Executed>;
  changeLinks(
    verb: 'link' | 'unlink',
    request: ExistingWriteRequest<LinkChange>,
  ): Promise<Executed>;
}

/** What there is beyond that for records of the records log. */
export interface LogRecordHandlers extends RecordHandlers {
  /** For decisions of another kind. */
  readonly append: Append;
}
