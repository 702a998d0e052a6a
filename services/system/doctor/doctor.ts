import type { Directory } from '../../../shared/domain/directory/directory.ts';
import type { Observed } from '../../../shared/installation/observed.ts';
import { createShared } from '../../../shared/runtime/share-answers.ts';
import { acknowledgeFindings } from './acknowledge-findings.ts';
import { type Examined, examineAll, summarize } from './examine.ts';

const KEPT_MS = 10_000;
/** Every open console of an administrator requests a quick examination each minute. */
const QUICK_KEPT_MS = 30_000;

/** Examines the installation, at most once at a time for all requests. */
export interface Doctor {
  /** The result may be ten seconds old. */
  full(): Promise<Examined>;
  /** Does not read the log. The result may be 30 seconds old. */
  quick(): Promise<Examined>;
}

/** Acknowledgements are current even if the examination is not. */
export function createDoctor(observed: Observed, directory: Directory): Doctor {
  const examineFully = createShared(KEPT_MS, () => examineAll(observed, { isQuick: false }));
  const examineQuickly = createShared(QUICK_KEPT_MS, () => examineAll(observed, { isQuick: true }));
  const acknowledged = ({ findings }: Examined): Examined =>
    summarize(acknowledgeFindings(findings, directory));
  return {
    full: async () => acknowledged(await examineFully()),
    quick: async () => acknowledged(await examineQuickly()),
  };
}
