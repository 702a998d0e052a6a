import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Replay } from '../../api/webhooks.ts';

export function percentOf({ read, total }: Replay): number {
  return total === 0 ? 100 : Math.round((read / total) * 100);
}

/** A mutation that changes the replays of a webhook. */
export function useReplayChange<Result>(change: () => Promise<Result>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => queries.invalidateQueries({ queryKey: ['webhooks'] }),
  });
}
