/** What the tutorial says. Regions are named by their labels, which are moments of the song. */
interface TutorialTexts {
  readonly projectName: string;
  readonly description: string;
  /** On the rough mix; all other regions are on the better one. */
  readonly roughRegion: { readonly moment: string; readonly label: string };
  readonly comments: readonly TutorialPost[];
  /** Each answers the comment with this name. */
  readonly replies: readonly { readonly to: string; readonly content: string }[];
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
      name: 'compare',
      about: 'Voice against bass',
      content:
        'In 1.0 the bass wins, in 1.1 the voice does. Press X to switch between the two without losing your place, or compare both waves one under the other. 1.1 is louder, and louder always seems better. Press M to match the loudness first.',
    },
    {
      name: 'colours',
      about: 'Fill into the chorus',
      content:
        'The colour of a region says what kind of remark it is: performance, mix, style, arrangement or general. Press [ where yours should start and ] where it should end.',
    },
    {
      name: 'stamp',
      stampAt: 'Chorus',
      content:
        'This comment knows its moment. Click the time, and the playhead goes there. Press C and write while the track plays, and yours knows its moment, too.',
    },
    {
      name: 'loop',
      about: 'The loop',
      content: 'Select this region and press L. It loops until you have heard enough, which for a chorus can take a while.',
    },
    {
      name: 'company',
      content:
        'A band of one is easy to agree with. Use Invite Users at the top for a second opinion. Everything that you write here appears on their page at once.',
    },
  ],
  replies: [{ to: 'company', content: 'Replies keep a discussion in one place. Even one with yourself.' }],
  todos: [
    { name: 'listen', content: 'Listen to 1.0, then to 1.1, and decide which one you would put your name on.' },
    { name: 'slow', about: 'The loop', content: 'Loop this region at half the tempo. The pitch stays where it is.' },
    { name: 'region', content: 'Draw a region and comment on it. Nobody is watching, so be honest.' },
    { name: 'tick', content: 'Tick this todo and complete it. It then counts for the current version.' },
    { name: 'upload', content: 'Add a project of your own with a track that is not finished. Finished ones do not need you.' },
    { name: 'bass', content: 'Turn the bass down.', isCompleted: true },
  ],
};
