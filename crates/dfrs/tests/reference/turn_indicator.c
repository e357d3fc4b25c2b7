/* The turn indicators of a car. Written by hand from examples/dfrs/turn_indicator.req; one call per sample of 20 ms or more. */
#include "tested.h"

static enum flashing_mode mode;
static enum indication_lights lights;
static enum turn_indicator_lever old_lever;
static enum emergency_flashing old_emergency;
static long old_volts;
static long since;

static void tell(const struct inputs *in, struct outputs *out)
{
    old_lever = in->turn_indicator_lever;
    old_emergency = in->emergency_flashing;
    old_volts = in->voltage;
    out->flashing_mode = mode;
    out->indication_lights = lights;
}

static void shine(enum indication_lights next, long time)
{
    if (lights != next) {
        lights = next;
        since = time;
    }
}

static enum indication_lights shown(void)
{
    if (mode == FLASHING_MODE_LEFT_FLASHING)
        return INDICATION_LIGHTS_LEFT;
    if (mode == FLASHING_MODE_RIGHT_FLASHING)
        return INDICATION_LIGHTS_RIGHT;
    if (mode == FLASHING_MODE_BOTH_FLASHING)
        return INDICATION_LIGHTS_BOTH;
    return INDICATION_LIGHTS_OFF;
}

static enum flashing_mode wished(const struct inputs *in)
{
    bool moved = in->turn_indicator_lever != old_lever;
    bool on = in->emergency_flashing == EMERGENCY_FLASHING_ON;
    bool was_on = old_emergency == EMERGENCY_FLASHING_ON;

    if (on && !was_on)
        return FLASHING_MODE_BOTH_FLASHING;
    if (moved || was_on != on) {
        if (in->turn_indicator_lever == TURN_INDICATOR_LEVER_LEFT)
            return FLASHING_MODE_LEFT_FLASHING;
        if (in->turn_indicator_lever == TURN_INDICATOR_LEVER_RIGHT)
            return FLASHING_MODE_RIGHT_FLASHING;
        if (on)
            return FLASHING_MODE_BOTH_FLASHING;
    }
    return mode;
}

void init(const struct inputs *in, struct outputs *out)
{
    mode = FLASHING_MODE_NO_FLASHING;
    lights = INDICATION_LIGHTS_OFF;
    since = 0;
    tell(in, out);
}

void step(const struct inputs *in, long time, struct outputs *out)
{
    enum flashing_mode old_mode = mode;

    mode = wished(in);
    if (mode != old_mode)
        since = time;
    if (in->voltage <= 80) {
        if (old_volts > 80)
            shine(INDICATION_LIGHTS_OFF, time);
    } else if (mode != old_mode || old_volts <= 80) {
        shine(shown(), time);
    } else if (lights == INDICATION_LIGHTS_OFF) {
        if (time - since >= 11)
            shine(shown(), time);
    } else if (lights != INDICATION_LIGHTS_BOTH) {
        if (time - since >= 17)
            shine(INDICATION_LIGHTS_OFF, time);
    }
    tell(in, out);
}
