/** A list of points, or a paragraph. */
export type LegalBlock = string | readonly string[];

/** A section of a legal document; its id is the anchor of its heading. */
export interface LegalSection {
  readonly id: string;
  readonly title: string;
  readonly blocks: readonly LegalBlock[];
}

/** A legal document. In its texts `[words](address)` is a link. */
export interface LegalDocument {
  readonly title: string;
  /** As in 'Effective 17 May 2021'. */
  readonly effective: string;
  readonly summary: string;
  readonly sections: readonly LegalSection[];
}
