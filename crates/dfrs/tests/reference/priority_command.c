/* Which of two side sticks is in control. Written by hand from examples/dfrs/priority_command.req; one call per sample. */
#include "tested.h"

static long control;
static bool old_left;
static bool old_right;

static void tell(const struct inputs *in, struct outputs *out)
{
    old_left = in->left_priority_button;
    old_right = in->right_priority_button;
    out->command_in_control_output = control;
}

void init(const struct inputs *in, struct outputs *out)
{
    control = 3;
    tell(in, out);
}

void step(const struct inputs *in, long time, struct outputs *out)
{
    bool left = in->left_priority_button;
    bool right = in->right_priority_button;

    (void)time;
    if (!left && !right) {
        if (in->left_command && in->right_command)
            control = 0;
        else if (!in->left_command && in->right_command)
            control = 1;
        else if (in->left_command && !in->right_command)
            control = 2;
        else
            control = 3;
    } else if (left && !right) {
        control = 4;
    } else if (right && !left) {
        control = 5;
    } else if (old_left && !old_right) {
        control = 4;
    } else if (old_right && !old_left) {
        control = 5;
    }
    tell(in, out);
}
