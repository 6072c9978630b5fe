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
  description: 'A short song, a short tour. Change anything, break anything, and remove the project once you know your way around.',
  roughRegion: { moment: 'Voice against bass', label: 'Where did the singer go?' },
  comments: [
    {
      name: 'company',
      content:
        'A band of one always agrees with itself. For a second opinion, use Invite Users at the top. What you write here shows up on their page at once.',
    },
    {
      name: 'compare',
      about: 'Voice against bass',
      content:
        'In 1.0 the bass wins, in 1.1 the voice does. Press X to switch between them without losing your place. Louder always sounds better, so Match loudness keeps it a fair fight. Turn it off (M) to hear the difference.',
    },
    {
      name: 'regions',
      about: 'Drum fill',
      content:
        "The drummer waited a whole verse for this fill. To mark a moment like it, drag across the wave, or press [ where it starts and ] where it ends. Then say what it's about: performance, mix, style, arrangement or general.",
    },
    {
      name: 'stamp',
      stampAt: 'Chorus',
      content: 'This comment is pinned to the moment the chorus comes in. Press C and type while the track plays, and yours is pinned too.',
    },
    {
      name: 'loop',
      about: 'Loop this bit',
      content: "Click the time above, then press L to loop it and Space to play. It repeats until you've had enough, which for a chorus can take a while.",
    },
  ],
  replies: [{ to: 'loop', content: 'Replies keep a discussion in one place, even one with yourself.' }],
  todos: [
    { name: 'bass', content: 'Turn the bass down. It knows what it did.', isCompleted: true },
    { name: 'upload', content: "Add a project of your own. Unfinished tracks are best; the finished ones don't need you." },
    { name: 'tick', content: 'Tick this todo, then press Complete. It moves to Completed, filed under the current version.' },
    { name: 'region', content: 'Draw a region and comment on it. Nobody is watching, so be honest.' },
    { name: 'slow', about: 'Loop this bit', content: 'Loop this at half tempo and work out the chords. The pitch stays put.' },
    { name: 'listen', content: 'Listen to 1.0, then 1.1. Which one would you put your name on?' },
  ],
};
