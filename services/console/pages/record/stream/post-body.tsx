import { lazy, Suspense, useEffect } from 'react';
import type { PostProps } from './formatted-post.tsx';

const load = () => import('./formatted-post.tsx');

const FormattedPost = lazy(async () => ({ default: (await load()).FormattedPost }));

const PlainPost = lazy(async () => ({ default: (await load()).PlainPost }));

/** Loads the parser together with the posts, which would appear without formatting otherwise. */
export function usePostParser(): void {
  useEffect(() => {
    // The first post reports an error.
    load().catch(() => undefined);
  }, []);
}

/** The text of a post; without formatting until the parser is loaded. */
export function PostBody(props: PostProps) {
  return (
    <Suspense fallback={<span className="field-value">{props.text}</span>}>
      <FormattedPost {...props} />
    </Suspense>
  );
}

/** The beginning of a post, as text that can be part of a link. */
export function PostExcerpt({ text }: { readonly text: string }) {
  return (
    <Suspense fallback={text}>
      <PlainPost text={text} />
    </Suspense>
  );
}
