/**
 * Everything that the query side's features use. `create-context.ts` builds it once per process. Features import only
 * this type, so they depend neither on each other nor on how the parts are created.
 */
import type { Directory } from '../../shared/domain/directory/directory.ts';
import type { FileReads } from '../../shared/files/file-reads.ts';
import type { Authentication } from '../../shared/http/login/authenticate.ts';
import type { SaveExport } from '../../shared/http/save-export.ts';
import type { SaveLayout } from '../../shared/http/save-layout.ts';
import type { SaveNotificationMarks } from '../../shared/http/save-notification-marks.ts';
import type { UntilConsistent } from '../../shared/http/until-consistent.ts';
import type { TopicNames } from '../../shared/kafka/topics.ts';
import type { FindWordIndexes } from '../../shared/search/find-word-indexes.ts';
import type { Reads } from '../../shared/search/open-reads.ts';
import type { InSnapshot } from '../../shared/search/open-snapshots.ts';
import type { Statement } from '../../shared/search/run-statement.ts';
import type { FindCommonTrigrams } from '../../shared/search/where/rare-parts.ts';
import type { ReadRecord } from './records/read-record.ts';

/** The parts that the process has opened. */
export interface OpenedContext {
  readonly directory: Directory;
  readonly authenticate: Authentication['authenticate'];
  readonly untilConsistent: UntilConsistent;
  /** Calls catchUpBriefly, so it never rejects, and resolves soon. */
  readonly catchUp: () => Promise<void>;
  readonly openSecret: (sealed: string) => string | null;
  readonly topics: TopicNames;
  /** True if the installation sends e-mail. */
  readonly isMailOn: boolean;
  readonly files: FileReads;
  /** The pools of the primary. */
  readonly primary: Reads;
  /** The pools for reads that a replica may serve. */
  readonly reads: Reads;
}

/** `pool` and `searchPool` are the pools in `reads`, unless a feature replaces them for some of its statements. */
export interface QueryContext extends OpenedContext, Reads {
  readonly prepare: (text: string) => Statement;
  readonly findCommonTrigrams: FindCommonTrigrams;
  readonly findWordIndexes: FindWordIndexes;
  readonly readRecord: ReadRecord;
}

/** Adds the parts of the command side that store exports, layouts and the marks of notifications. */
export interface WritingContext extends QueryContext {
  readonly saveExport: SaveExport;
  readonly saveLayout: SaveLayout;
  readonly saveNotificationMarks: SaveNotificationMarks;
  readonly inSnapshot: InSnapshot;
  readonly config: { readonly maxExportRecords: number; readonly maxExportBytes: number };
}
