/* Safety injection of a nuclear power plant. Written by hand from examples/dfrs/safety_injection.req; one call per sample. */
#include "tested.h"

static enum pressure_mode pressure;
static enum safety_injection_mode injection;
static bool overridden;
static long old_water;
static bool old_block;
static bool old_reset;

static void tell(const struct inputs *in, struct outputs *out)
{
    old_water = in->water_pressure;
    old_block = in->blockage_button;
    old_reset = in->reset_button;
    out->pressure_mode = pressure;
    out->overridden_mode = overridden;
    out->safety_injection_mode = injection;
}

void init(const struct inputs *in, struct outputs *out)
{
    pressure = PRESSURE_MODE_LOW;
    injection = SAFETY_INJECTION_MODE_ON;
    overridden = false;
    tell(in, out);
}

void step(const struct inputs *in, long time, struct outputs *out)
{
    long water = in->water_pressure;
    bool was_high = pressure == PRESSURE_MODE_HIGH;

    (void)time;
    if (pressure == PRESSURE_MODE_LOW && old_water < 900 && water >= 900)
        pressure = PRESSURE_MODE_PERMITTED;
    else if (pressure == PRESSURE_MODE_HIGH && old_water >= 1000 && water < 1000)
        pressure = PRESSURE_MODE_PERMITTED;
    if (pressure == PRESSURE_MODE_PERMITTED && old_water < 1000 && water >= 1000)
        pressure = PRESSURE_MODE_HIGH;
    else if (pressure == PRESSURE_MODE_PERMITTED && old_water >= 900 && water < 900)
        pressure = PRESSURE_MODE_LOW;

    if (pressure != PRESSURE_MODE_HIGH) {
        if (in->blockage_button && !old_block && !in->reset_button)
            overridden = true;
        if (in->reset_button && !old_reset)
            overridden = false;
    }
    if (was_high != (pressure == PRESSURE_MODE_HIGH))
        overridden = false;

    if (pressure == PRESSURE_MODE_LOW && !overridden)
        injection = SAFETY_INJECTION_MODE_ON;
    else
        injection = SAFETY_INJECTION_MODE_OFF;
    tell(in, out);
}
