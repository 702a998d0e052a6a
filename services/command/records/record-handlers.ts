import type { CreateRequest, Executed, ExistingWriteRequest } from '../owner/write-request.ts';
import type { LinkChange } from './links/change-links.ts';

/** Decides commands for records in this instance's partitions. Rejects with NotOwner for others. */
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
