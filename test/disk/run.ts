// npm run disk: Annals on a small disk that is filled three times, and during starts of Kafka, while clients write and
// read continuously. Settings:
//   DISK_SIZES   MB, default 600,650,700
//   DISK_RUNS    runs per size, default 1
//   DISK_INODES  number of inodes, which then run out instead of space
//   DISK_OF      kafka or postgres: the disk holds only its data; 250 MB are enough
//   DISK_IN      containers: instead of npm start; requires a Docker engine
import { findComposeObstacle } from '../compose/compose-project.ts';
import { findDiskObstacle } from '../support/disk-image.ts';
import type { DiskContent } from './installation.ts';
import { type DiskReport, runDiskOnce } from './run-once.ts';

const sizes = (process.env['DISK_SIZES'] || '600,650,700').split(',').map(Number);
const runs = Number(process.env['DISK_RUNS'] || 1);
const inodes = Number(process.env['DISK_INODES']) || undefined;
const of = toContent(process.env['DISK_OF']);
const inContainers = process.env['DISK_IN'] === 'containers';

process.exitCode = await main();

async function main(): Promise<number> {
  const obstacle = findDiskObstacle() ?? (inContainers ? await findComposeObstacle() : undefined);
  if (obstacle !== undefined) {
    process.stderr.write(`${obstacle}\n`);
    return 1;
  }
  let violations = 0;
  for (let run = 1; run <= runs; run++) {
    for (const megabytes of sizes) {
      const report = await runDiskOnce({ megabytes, inodes, of, inContainers });
      violations += report.violations.length;
      print(`${of === 'all' ? '' : `${of}, `}${megabytes} MB, run ${run}`, report);
    }
  }
  return violations === 0 ? 0 : 1;
}

function toContent(name = ''): DiskContent {
  return name === 'kafka' || name === 'postgres' ? name : 'all';
}

function print(name: string, report: DiskReport): void {
  const { acknowledged, refused, unknown, reads, secondsToGoOn, ends, panics, violations } = report;
  const others = [...unknown].map(([what, count]) => `${count} times ${what}`).join(', ');
  const seconds = secondsToGoOn.map((each) => each.toFixed(1)).join(' s and ');
  process.stdout.write(
    [
      `${name}: ${acknowledged} writes acknowledged, ${refused} rejected with 507, without an outcome: ${others || 'none'}; recovered after ${seconds} s`,
      `  ${reads.done} reads, ${reads.failed} failed, longest gap ${reads.longestGapMs} ms; Kafka exited ${ends[0]} times, Postgres ${ends[1]} times; ${violations.length} violations`,
      ...panics.map((line) => `  ${line}`),
      ...violations.slice(0, 20).map((violation) => `  VIOLATION ${violation}`),
      '',
    ].join('\n'),
  );
}
