/* A coffee machine that rests for three seconds after each coffee. Written by hand from examples/dfrs/vending_machine_6.req. */
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

static void enter(enum system_mode next, long time)
{
    mode = next;
    since = time;
}

void init(const struct inputs *in, struct outputs *out)
{
    coffee = COFFEE_MACHINE_OUTPUT_UNDEFINED_OUTPUT;
    enter(SYSTEM_MODE_IDLE, 0);
    tell(in, out);
}

void step(const struct inputs *in, long time, struct outputs *out)
{
    long age = time - since;
    bool paid = in->coin_sensor && !old_coin;
    bool asked = in->coffee_request_button && !old_button;
    bool quiet = !in->coin_sensor && !old_coin;

    if (mode == SYSTEM_MODE_RESET && age == 3) {
        mode = SYSTEM_MODE_IDLE;
        coffee = COFFEE_MACHINE_OUTPUT_UNDEFINED_OUTPUT;
    }
    if (mode == SYSTEM_MODE_IDLE && paid) {
        enter(SYSTEM_MODE_CHOICE, time);
    } else if (mode == SYSTEM_MODE_CHOICE && asked && quiet) {
        if (age <= 30)
            enter(SYSTEM_MODE_PREPARING_WEAK_COFFEE, time);
        else
            enter(SYSTEM_MODE_PREPARING_STRONG_COFFEE, time);
    } else if (mode == SYSTEM_MODE_PREPARING_WEAK_COFFEE && age >= 10 && age <= 30) {
        enter(SYSTEM_MODE_RESET, time);
        coffee = COFFEE_MACHINE_OUTPUT_WEAK_COFFEE;
    } else if (mode == SYSTEM_MODE_PREPARING_STRONG_COFFEE && age >= 30 && age <= 50) {
        enter(SYSTEM_MODE_RESET, time);
        coffee = COFFEE_MACHINE_OUTPUT_STRONG_COFFEE;
    }
    tell(in, out);
}
