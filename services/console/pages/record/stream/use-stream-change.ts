import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { StreamItem } from '../../../api/stream.ts';

/** A change to a post in the stream of a record, after which the stream is read again. */
export function useStreamChange<Input>(
  { parentType }: StreamItem,
  change: (input: Input) => Promise<unknown>,
) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: async () =>
      queries.invalidateQueries({ queryKey: ['records', parentType, 'stream'] }),
  });
}
