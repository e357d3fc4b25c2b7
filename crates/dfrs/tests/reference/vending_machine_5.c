/* A coffee machine: coin, choice, coffee. Written by hand from examples/dfrs/vending_machine_5.req; one call per sample. */
#include "tested.h"

static enum system_mode mode;
static enum coffee_machine_output coffee;
static bool old_coin;
static bool old_button;
static long since;

static void tell(const struct inputs *in, struct outputs *out)
{
    old_coin = in->coin_sensor;
    old_button = in->coffee_request_button;
    out->system_mode = mode;
    out->coffee_machine_output = coffee;
}

void init(const struct inputs *in, struct outputs *out)
{
    mode = SYSTEM_MODE_IDLE;
    coffee = COFFEE_MACHINE_OUTPUT_STRONG;
    since = 0;
    tell(in, out);
}

void step(const struct inputs *in, long time, struct outputs *out)
{
    long age = time - since;
    bool paid = in->coin_sensor && !old_coin;
    bool asked = in->coffee_request_button && !old_button;
    bool quiet = !in->coin_sensor && !old_coin;

    if (mode == SYSTEM_MODE_PREPARING_WEAK_COFFEE && age >= 10 && age <= 30) {
        mode = SYSTEM_MODE_IDLE;
        coffee = COFFEE_MACHINE_OUTPUT_WEAK;
    } else if (mode == SYSTEM_MODE_PREPARING_STRONG_COFFEE && age >= 30 && age <= 50) {
        mode = SYSTEM_MODE_IDLE;
        coffee = COFFEE_MACHINE_OUTPUT_STRONG;
    }
    if (mode == SYSTEM_MODE_IDLE && paid) {
        mode = SYSTEM_MODE_CHOICE;
        since = time;
    } else if (mode == SYSTEM_MODE_CHOICE && asked && quiet) {
        if (age <= 30)
            mode = SYSTEM_MODE_PREPARING_WEAK_COFFEE;
        else
            mode = SYSTEM_MODE_PREPARING_STRONG_COFFEE;
        since = time;
    }
    tell(in, out);
}
