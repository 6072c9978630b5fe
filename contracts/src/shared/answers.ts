/** Fields of a command's answer that show the whole around what was changed. A request with `Prefer: return=minimal` gets no such field. */
type Surrounding = 'updatedProject' | 'updatedGroup';

/** A command's answer to a request that prefers `return=minimal`. */
export type Minimal<Answer> = Answer extends { readonly updatedProject: unknown } | { readonly updatedGroup: unknown } ? Omit<Answer, Surrounding> : Answer;

/** A command's answer as its request prefers it. */
export type AsPreferred<Answer> = Answer | Minimal<Answer>;
