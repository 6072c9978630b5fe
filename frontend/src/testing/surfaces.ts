// Compile dialogs and menus before the tests that open them start.
import '../shared/ui/dialog-surface';
import '../shared/ui/menu-surface';
import '../shared/ui/popover-surface';
import '../shared/ui/select-surface';
import '../shared/ui/tabs-surface';
import '../shared/ui/toast-list';
import '../shared/ui/tooltip-surface';
