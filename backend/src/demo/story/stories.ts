import { lowTideStory } from './low-tide.story.js';
import { nineVoltStory } from './nine-volt.story.js';
import { paperMoonStory } from './paper-moon.story.js';
import type { ProjectStory } from './story.js';

export const stories: readonly ProjectStory[] = [lowTideStory, paperMoonStory, nineVoltStory];
