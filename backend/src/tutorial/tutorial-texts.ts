/** What the tutorial says. Regions are named by their labels, which are moments of the song. */
interface TutorialTexts {
  readonly projectName: string;
  readonly description: string;
  /** On the rough mix; all other regions are on the better one. */
  readonly roughRegion: { readonly moment: string; readonly label: string };
  /** In the order added; the page shows the newest first. */
  readonly comments: readonly TutorialPost[];
  /** Each answers the comment with this name. */
  readonly replies: readonly { readonly to: string; readonly content: string }[];
  /** In the order added, too. */
  readonly todos: readonly (TutorialPost & { readonly isCompleted?: boolean })[];
}

interface TutorialPost {
  readonly name: string;
  readonly content: string;
  /** The label of the region that it is tagged with. */
  readonly about?: string;
  /** The section of the song at whose start its timestamp is. */
  readonly stampAt?: string;
}

export const TUTORIAL_TEXTS: TutorialTexts = {
  projectName: 'Tutorial: First Light',
  description: 'A short tour with a short song. Change anything, break anything, and remove the project once you know your way around.',
  roughRegion: { moment: 'Voice against bass', label: 'Where is the singer?' },
  comments: [
    {
      name: 'company',
      content:
        'A band of one is easy to agree with. For a second opinion, use Invite Users at the top. What you write here then appears on their page at once.',
    },
    {
      name: 'compare',
      about: 'Voice against bass',
      content:
        'In 1.0 the bass wins, in 1.1 the voice does. Press X to switch between the two without losing your place, or compare both waves one under the other. Louder always seems better, so Match loudness turns 1.1 down. M shows what that does.',
    },
    {
      name: 'colours',
      about: 'Fill into the chorus',
      content:
        'The colour of a region says what it is about: performance, mix, style, arrangement or the song in general. Drag across the wave to draw your own, or press [ where it should start and ] where it should end.',
    },
    {
      name: 'stamp',
      stampAt: 'Chorus',
      content:
        'This comment knows its moment. Press the time, and you hear what it is about. Press C and write while the track plays, and yours knows its moment, too.',
    },
    {
      name: 'loop',
      about: 'The loop',
      content: 'Select this region and press L. It loops until you have heard enough, which for a chorus can take a while.',
    },
  ],
  replies: [{ to: 'loop', content: 'Replies keep a discussion in one place. Even one with yourself.' }],
  todos: [
    { name: 'bass', content: 'Turn the bass down.', isCompleted: true },
    { name: 'upload', content: 'Add a project of your own with a track that is not finished. Finished ones do not need you.' },
    { name: 'tick', content: 'Tick this todo and complete it. It then counts for the current version.' },
    { name: 'region', content: 'Draw a region and comment on it. Nobody is watching, so be honest.' },
    { name: 'slow', about: 'The loop', content: 'Loop this region at half the tempo. The pitch stays where it is.' },
    { name: 'listen', content: 'Listen to 1.0, then to 1.1, and decide which one you would put your name on.' },
  ],
};
